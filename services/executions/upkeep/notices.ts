import type { Service } from "moleculer";
import { createHash } from "node:crypto";
import { MAX_BODY, MAX_TITLE } from "../../../contracts/entities/notification.ts";
import { ID_PATTERN } from "../../../contracts/primitives.ts";
import { clip } from "../../../core/clip.ts";
import { keyOf } from "../../../core/run/frame.ts";
import { openQuestions, type Question } from "../../../core/run/waits.ts";
import { type Notice, outboxOf } from "../../../service-kit/outbox.ts";
import { executionLink } from "../store/present.ts";
import { Executions, type ExecutionDoc } from "../store/model.ts";
import type { EngineService } from "../engine/service.ts";
import { journalOf } from "../store/read-execution.ts";

/** The most questions of one run that are notified at a time. A person who answers one of them sees the others. */
const MAX_QUESTIONS = 50;

/** The recipients of a question: the step's assignees, or all members who may answer. */
function askedBy({ suspension }: Question): Notice["to"] {
  const userIds = suspension.assignees?.filter(assignee => ID_PATTERN.test(assignee)) ?? [];
  return userIds.length > 0 ? { userIds } : { role: "editor" };
}

function question(doc: ExecutionDoc, name: string, asked: Question): Notice {
  const at = createHash("sha256").update(keyOf(asked.at)).digest("hex").slice(0, 32);
  return {
    key: `asked:${doc.id}:${at}:${asked.node.attempt}`,
    workspaceId: doc.workspaceId,
    type: "approval_needed",
    title: clip(`${name} waits for an answer`, MAX_TITLE),
    body: clip(asked.suspension.prompt, MAX_BODY),
    link: executionLink(doc),
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

/** Notifies the user who started a run of its failure, and the people whom a step asks of the open question. */
export const executionNotices = outboxOf<ExecutionDoc, Service & EngineService>({
  collection: Executions,
  async notices(doc) {
    const { workspaceId, workflowId, workflowVersion, status } = doc;
    // The failure of a child fails its parent, and the parent notifies of it.
    if (status === "failed" ? doc.parentId !== undefined : !doc.asking) return [];
    const workflow = await this.engine.definitions.get(workspaceId, workflowId, workflowVersion);
    const name = workflow.name || "A workflow";
    if (status === "failed") return [failure(doc, name)];
    const questions: Notice[] = [];
    for (const asked of openQuestions(await journalOf(this, doc).fold())) {
      if (questions.length === MAX_QUESTIONS) break;
      // A child execution notifies of its own questions.
      if (!asked.suspension.executionId) questions.push(question(doc, name, asked));
    }
    return questions;
  },
});
