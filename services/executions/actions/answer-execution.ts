import { callerOf, handle, roleOf } from "../../../contracts/call.ts";
import type { Execution, PathPart, Suspension } from "../../../contracts/entities/execution.ts";
import { AppError } from "../../../contracts/errors.ts";
import { includesRole } from "../../../core/roles.ts";
import type { FormCheck } from "../../../core/forms/check-form.ts";
import { answerWithFiles } from "./answer-files.ts";
import { checkData, refuseLarge } from "./check-input.ts";
import { isFinal } from "../../../core/run/state.ts";
import { findQuestion, type WaitingQuestion } from "../../../core/run/waits.ts";
import { deliver, isSettled } from "../store/deliver.ts";
import { Executions, type ExecutionDoc } from "../store/model.ts";
import { present } from "../store/present.ts";
import { type ExecutionAddress, getExecution, journalOf } from "../store/read-execution.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

interface AnswerOptions {
  approved: boolean;
  data?: unknown;
  nodeId?: string | undefined;
  path?: readonly PathPart[] | undefined;
  question?: string | undefined;
  /** The attempt of the step whose question this answers. */
  attempt?: number | undefined;
  respondedBy: string;
  /** True when the caller may answer any question. Other callers may answer only questions that name them. */
  mayAnswerAny: boolean;
}

const notSuspended = (detail?: string) => new AppError("execution_not_suspended", detail ? { detail } : {});

/**
 * The question in the journal that an answer is for.
 * @throws {AppError} execution_not_suspended when no step waits for this answer
 */
async function find(service: ExecutionsService, doc: ExecutionDoc, given: AnswerOptions) {
  if (doc.status !== "suspended" && !doc.asking) throw notSuspended();
  const state = await journalOf(service, doc).fold();
  const named = { ...given, nodeId: given.nodeId ?? (given.path ? undefined : doc.suspension?.nodeId) };
  const question = isFinal(state.status) ? undefined : findQuestion(state, named);
  if (!question || (given.attempt ?? question.node.attempt) !== question.node.attempt)
    throw notSuspended("No step with this id is waiting for this answer.");
  // An answer in the inbox counts, even before a worker takes it into the journal.
  if (isSettled(doc, question.at, question.node.attempt)) throw notSuspended();
  return { input: state.input, question };
}

/** Editors may answer any question. Other callers may answer only questions that name them. */
export const mayAnswer = (
  { assignees = [] }: Suspension,
  { mayAnswerAny, respondedBy }: Pick<AnswerOptions, "mayAnswerAny" | "respondedBy">,
): boolean => mayAnswerAny || assignees.includes(respondedBy);

/** The error for a caller who is not an editor and whom no question names. */
export const notAsked = () =>
  new AppError("role_too_low", {
    detail: "This requires the role `editor`, or a question that names you; your role is `viewer`.",
  });

function refuse({ broken, faults }: FormCheck): void {
  if (broken !== undefined)
    throw new AppError("validation_failed", { detail: `The form is not a valid schema: ${broken}` });
  if (faults.length > 0)
    throw new AppError("validation_failed", { detail: "The data does not match the form.", errors: faults });
}

/** Forwards an answer to the child execution that asks, and signals the execution that waits for the child. */
async function forward(
  service: ExecutionsService,
  { workspaceId, id }: ExecutionAddress,
  { at, suspension }: WaitingQuestion,
  given: AnswerOptions,
): Promise<ExecutionDoc> {
  const { store, followUps } = service;
  const childId = suspension.executionId ?? "";
  const asking = await store.tenant(Executions, workspaceId).get({ id: childId });
  if (!asking) throw notSuspended();
  await answer(service, asking, { ...given, nodeId: undefined, path: undefined });
  const moved = await deliver(store, { workspaceId, id }, () => ({ kind: "child", childId, ...at }));
  if (!moved) throw notSuspended();
  followUps.announce(id);
  return moved;
}

export async function answer(
  service: ExecutionsService,
  address: ExecutionAddress,
  given: AnswerOptions,
): Promise<Execution> {
  const { approved, respondedBy, data = null } = given;
  await getExecution(service, address);
  let found: Awaited<ReturnType<typeof find>> | undefined;
  const updated = await deliver(service.store, address, async doc => {
    found = await find(service, doc, given);
    const { suspension, at, node } = found.question;
    // A question of a child is checked when the answer reaches the child.
    if (suspension.executionId) return null;
    if (!mayAnswer(suspension, given)) throw notAsked();
    if (approved && suspension.form) refuse(await checkData(service, address.workspaceId, suspension.form, data));
    refuseLarge(data);
    const whole = await answerWithFiles(service.values, doc, suspension.form, data);
    const respondedAt = new Date().toISOString();
    return { kind: "answer", ...at, attempt: node.attempt, approved, data: whole, respondedBy, respondedAt };
  });
  if (!found) throw notSuspended();
  const { input, question } = found;
  if (updated) {
    service.followUps.announce(address.id);
    // The question stays open until the run has taken the answer, and the run may do so within the same hint.
    const asked = updated.asking ?? 0;
    service.watch.news.execution(updated.workspaceId, updated.id, [asked, asked]);
    if (updated.followUp) service.followUps.soon(updated);
  }
  if (!updated && !question.suspension.executionId) throw notSuspended();
  return present(updated ?? (await forward(service, address, question, given)), { input, output: null });
}

/** Who answers. An API key is not a person, so no question names it. */
export function answererOf(
  ctx: Parameters<typeof callerOf>[0] & Parameters<typeof roleOf>[0],
): Pick<AnswerOptions, "respondedBy" | "mayAnswerAny"> {
  const { kind, userId } = callerOf(ctx);
  const mayAnswerAny = includesRole(roleOf(ctx), "editor");
  if (kind !== "user" && !mayAnswerAny) {
    throw new AppError("role_too_low", { detail: "This requires the role `editor`; your role is `viewer`." });
  }
  return { respondedBy: userId, mayAnswerAny };
}

export const respond = handle<"executions.respond", ExecutionsService>("executions.respond", async function (ctx) {
  const { approved, data, nodeId, path, question, ...address } = ctx.params;
  return answer(this, address, { approved, data, nodeId, path, question, ...answererOf(ctx) });
});

export const approve = handle<"executions.approve", ExecutionsService>("executions.approve", async function (ctx) {
  const { question, ...address } = ctx.params;
  return answer(this, address, { approved: true, question, ...answererOf(ctx) });
});
