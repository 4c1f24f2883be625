import { isSettled } from "../store/deliver.ts";
import type { Context } from "moleculer";
import { call, handle } from "../../../contracts/call.ts";
import { isMailAddress } from "../../../contracts/entities/user.ts";
import { AppError } from "../../../contracts/errors.ts";
import type { RequestHeaders } from "../../../contracts/request.ts";
import { isFinal } from "../../../core/run/state.ts";
import { findQuestion, type WaitingQuestion } from "../../../core/run/waits.ts";
import { type AnswerLink, readAnswerToken } from "../../../service-kit/answer-link.ts";
import { Executions, type ExecutionDoc } from "../store/model.ts";
import { journalOf } from "../store/read-execution.ts";
import { namesMembers } from "../upkeep/notices.ts";
import type { ExecutionsService } from "../upkeep/service.ts";
import { answer } from "./answer-execution.ts";

const invalid = () => new AppError("link_invalid");

/**
 * Whether the person behind a link may still answer. A link ends when its member leaves or loses the right to answer.
 */
async function mayStill(
  ctx: Context,
  { workspaceId, to }: AnswerLink,
  { suspension }: WaitingQuestion,
): Promise<boolean> {
  const isNamed = suspension.assignees?.includes(to) ?? false;
  if (isMailAddress(to)) return isNamed;
  if (!isNamed && namesMembers(suspension)) return false;
  const least = isNamed ? ("viewer" as const) : ("editor" as const);
  const { items } = await call(ctx, "workspaces.recipients", { workspaceId, userIds: [to], role: least });
  return items.includes(to);
}

/**
 * The open question of a link.
 * @throws {AppError} link_invalid when this service did not make the link, or its question is no longer open
 */
async function opened(service: ExecutionsService, ctx: Context, token: string) {
  const link = readAnswerToken(service.hashKey, token);
  if (!link) throw invalid();
  const doc = await service.store.tenant(Executions, link.workspaceId).get({ id: link.executionId });
  if (!doc?.asking || isFinal(doc.status)) throw invalid();
  const state = await service.reads.run(() => journalOf(service, doc).fold());
  const { nodeId, path, attempt } = link;
  const question = isFinal(state.status) ? undefined : findQuestion(state, { nodeId, path });
  if (question?.node.attempt !== attempt || !question.suspension.allowLinks) throw invalid();
  const { expiresAt } = question.suspension;
  if (expiresAt !== null && expiresAt <= new Date().toISOString()) throw invalid();
  if (isSettled(doc, question.at, attempt)) throw invalid();
  if (!(await mayStill(ctx, link, question))) throw invalid();
  return { link, doc, question };
}

export const readLink = handle<"executions.link.read", ExecutionsService>("executions.link.read", async function (ctx) {
  const { link, doc, question } = await opened(this, ctx, ctx.params.token);
  const { prompt, form, expiresAt } = question.suspension;
  const { name } = await this.engine.definitions.get(link.workspaceId, doc.workflowId, doc.workflowVersion);
  return {
    ...{ prompt, expiresAt, askedAt: question.node.startedAt, createdAt: doc.createdAt.toISOString() },
    ...{ trigger: { type: doc.trigger.type } },
    ...(name && { workflowName: name }),
    ...(form !== undefined && { form }),
    ...(isMailAddress(link.to) && { to: link.to }),
  };
});

/**
 * Records the answer in the audit log before it takes effect. The middleware cannot do this, because it does not know
 * whose link it is.
 */
async function record(ctx: Context<unknown>, link: AnswerLink, doc: ExecutionDoc): Promise<string> {
  const { workspaceId, executionId, to } = link;
  const headers = (ctx as unknown as { headers: RequestHeaders }).headers;
  const isAddress = isMailAddress(to);
  const actor = isAddress
    ? { kind: "link" as const, id: executionId, userId: doc.startedBy, email: to }
    : { kind: "user" as const, id: to, userId: to };
  const entry = {
    ...{ workspaceId, actor, action: "executions.link.answer", resourceType: "execution", resourceId: executionId },
    ...{ spaceId: doc.spaceId, fields: ["approved", "data"] },
    ...{ requestId: ctx.requestID ?? "", address: headers.address ?? "" },
  };
  return (await call(ctx, "audit.record", { ...entry, outcome: "unknown", error: null })).id;
}

export const answerLink = handle<"executions.link.answer", ExecutionsService>(
  "executions.link.answer",
  async function (ctx) {
    const { token, approved, data } = ctx.params;
    const { link, doc } = await opened(this, ctx, token);
    const { workspaceId, executionId: resourceId, nodeId, path, attempt, to } = link;
    const id = await record(ctx, link, doc);
    const conclude = (end: { outcome: "succeeded" | "failed"; error: string | null }) =>
      call(ctx, "audit.conclude", { workspaceId, id, resourceId, ...end }).catch((error: unknown) =>
        this.logger.warn("The outcome of an answer could not be written to its audit entry.", error),
      );
    try {
      const given = { approved, data, nodeId, path, attempt, respondedBy: to, mayAnswerAny: true };
      await answer(this, doc, given);
    } catch (error) {
      const code = error instanceof AppError ? error.type : "internal_error";
      await conclude({ outcome: "failed", error: code });
      // Another answer came first.
      throw code === "execution_not_suspended" ? invalid() : error;
    }
    await conclude({ outcome: "succeeded", error: null });
    return null;
  },
);
