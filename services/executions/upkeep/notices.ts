import type { Service } from "moleculer";
import { createHash } from "node:crypto";
import type { Suspension } from "../../../contracts/entities/execution.ts";
import { MAX_BODY, MAX_TITLE } from "../../../contracts/entities/notification.ts";
import { isMailAddress } from "../../../contracts/entities/user.ts";
import { ID_PATTERN } from "../../../contracts/primitives.ts";
import { clip } from "../../../core/clip.ts";
import { keyOf } from "../../../core/run/frame.ts";
import { openQuestions, type WaitingQuestion } from "../../../core/run/waits.ts";
import { answerUrl, type AskedAt } from "../../../service-kit/answer-link.ts";
import type { WithHashKey } from "../../../service-kit/hash-key.mixin.ts";
import { sendMail } from "../../../service-kit/mail.ts";
import { type Notice, outboxOf } from "../../../service-kit/outbox.ts";
import { executionLink } from "../store/present.ts";
import { Executions, type ExecutionDoc } from "../store/model.ts";
import type { EngineService } from "../engine/service.ts";
import { journalOf } from "../store/read-execution.ts";

/** Questions older than this are not emailed. */
const LIFETIME_MS = 7 * 24 * 3_600_000;
const MAX_MAILED = 2_000;
/**
 * The most questions of one run that are notified at the same time. A person who answers one of them sees the others.
 */
const MAX_QUESTIONS = 50;

const membersIn = ({ assignees = [] }: Suspension) => assignees.filter(assignee => ID_PATTERN.test(assignee));
const addressesIn = ({ assignees = [], allowLinks }: Suspension) => (allowLinks ? assignees.filter(isMailAddress) : []);

/** Whether a question names certain people, and is not for all members who may answer. */
export const namesMembers = (asked: Suspension): boolean => membersIn(asked).length + addressesIn(asked).length > 0;

/** The members that a question addresses: the step's assignees, or all members who may answer. */
function askedBy({ suspension }: WaitingQuestion): Notice["to"] {
  return namesMembers(suspension) ? { userIds: membersIn(suspension) } : { role: "editor" };
}

const placeOf = (doc: ExecutionDoc, { at, node }: WaitingQuestion): AskedAt => ({
  ...{ workspaceId: doc.workspaceId, executionId: doc.id },
  ...{ nodeId: at.nodeId, path: at.path ?? [], attempt: node.attempt },
});

/** Mails a question to the addresses that it names. Each mail has a link for answering without an account. */
async function mailAddresses(
  service: EngineService & WithHashKey,
  doc: ExecutionDoc,
  name: string,
  asked: WaitingQuestion,
) {
  const { key, title, body = "" } = question(doc, name, asked);
  const { expiresAt } = asked.suspension;
  const at = new Date(asked.node.startedAt);
  const lifetimeMs = expiresAt === null ? LIFETIME_MS : Math.min(LIFETIME_MS, Date.parse(expiresAt) - at.getTime());
  for (const to of addressesIn(asked.suspension)) {
    const link = answerUrl(service.hashKey, { ...placeOf(doc, asked), to });
    const content = { template: "question" as const, title, body: clip(body, MAX_MAILED), link };
    await sendMail(service.broker, { key: `${key}:${to}`.slice(0, 300), at, to, content, lifetimeMs });
  }
}

function question(doc: ExecutionDoc, name: string, asked: WaitingQuestion): Notice {
  const at = createHash("sha256").update(keyOf(asked.at)).digest("hex").slice(0, 32);
  return {
    key: `asked:${doc.id}:${at}:${asked.node.attempt}`,
    workspaceId: doc.workspaceId,
    type: "approval_needed",
    title: clip(`${name} waits for an answer`, MAX_TITLE),
    body: clip(asked.suspension.prompt, MAX_BODY),
    link: executionLink(doc),
    ...(asked.suspension.allowLinks && { asked: placeOf(doc, asked) }),
    to: askedBy(asked),
  };
}

function failure(doc: ExecutionDoc, name: string): Notice {
  return {
    key: `failed:${doc.id}`,
    workspaceId: doc.workspaceId,
    type: "execution_failed",
    title: clip(`${name} failed`, MAX_TITLE),
    body: clip(doc.error?.message ?? "", MAX_BODY),
    link: executionLink(doc),
    to: { userIds: [doc.startedBy] },
  };
}

/** Notifies the user who started a failed run, and the people that an open question addresses. */
export const executionNotices = outboxOf<ExecutionDoc, Service & EngineService & WithHashKey>({
  collection: Executions,
  async notices(doc) {
    const { workspaceId, workflowId, workflowVersion, status } = doc;
    // A failed child fails its parent, and the parent sends the notification.
    if (status === "failed" ? doc.parentId !== undefined : !doc.asking) return [];
    const workflow = await this.engine.definitions.get(workspaceId, workflowId, workflowVersion);
    const name = workflow.name || "A workflow";
    if (status === "failed") return [failure(doc, name)];
    const questions: Notice[] = [];
    for (const asked of openQuestions(await journalOf(this, doc).fold())) {
      if (questions.length === MAX_QUESTIONS) break;
      // The child execution sends the notification of its own question.
      if (asked.suspension.executionId) continue;
      if (!namesMembers(asked.suspension) || membersIn(asked.suspension).length > 0)
        questions.push(question(doc, name, asked));
      await mailAddresses(this, doc, name, asked);
    }
    return questions;
  },
});
