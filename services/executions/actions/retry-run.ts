import { call } from "../../../contracts/call.ts";
import type { StartedByKey } from "../../../contracts/entities/execution.ts";
import { AppError } from "../../../contracts/errors.ts";
import { isFinal } from "../../../core/run/state.ts";
import { type ExecutionDoc, Executions } from "../store/model.ts";
import { journalOf } from "../store/read-execution.ts";
import type { ExecutionsService } from "../upkeep/service.ts";
import { checkInput } from "./check-input.ts";
import { createKeyed } from "./create-keyed.ts";

export interface RetryWanted {
  /** The id of the new run. It is the same in every try. */
  id: string;
  startedBy: string;
  startedByKey?: StartedByKey | undefined;
  fromNode?: string | undefined;
  fromStart: boolean;
  /** Replaces the input of the old run. */
  input?: unknown;
  version: "original" | "latest";
  /** Rejects a run that has been retried already. */
  once?: boolean;
}

/**
 * Writes into a run which run retries it. Of several retries with `once`, only one succeeds. Returns a function that
 * removes the entry.
 * @throws {AppError} execution_not_retryable when another retry has the run
 */
async function claim({ store }: ExecutionsService, old: ExecutionDoc, { id, once }: RetryWanted) {
  const docs = store.tenant(Executions, old.workspaceId);
  const former = old.retriedBy;
  if (former !== id) {
    const claimed = await docs.updateOne({ id: old.id, ...(once && { retriedBy: null }) }, { $set: { retriedBy: id } });
    if (!claimed && once)
      throw new AppError("execution_not_retryable", { detail: "The run has already been retried." });
  }
  return () =>
    docs.updateOne(
      { id: old.id, retriedBy: id },
      former === undefined || former === id ? { $unset: { retriedBy: 1 } } : { $set: { retriedBy: former } },
    );
}

/**
 * @param chosen whether the request says where the retry begins
 * @throws {AppError} execution_not_retryable
 */
export function checkRetryable({ status }: ExecutionDoc, chosen: boolean): void {
  if (!isFinal(status) || (status === "completed" && !chosen)) throw new AppError("execution_not_retryable");
}

/**
 * Starts a new execution that keeps the finished steps of the old one, as far as requested.
 * @throws {AppError} execution_not_retryable, workflow_trashed, not_found, and the errors of `createKeyed`
 */
export async function retryRun(
  service: ExecutionsService,
  old: ExecutionDoc,
  wanted: RetryWanted,
): Promise<{ doc: ExecutionDoc; input: unknown }> {
  const { id, startedBy, startedByKey, fromNode, fromStart } = wanted;
  checkRetryable(old, fromNode !== undefined || fromStart);
  const { workspaceId, spaceId, workflowId, deployed, forFailure } = old;
  const version = wanted.version === "latest" ? undefined : old.workflowVersion;
  const runnable = await call(service.broker, "workflows.runnable", { workspaceId, spaceId, workflowId, version });
  const created = await journalOf(service, old).created();
  const input = wanted.input === undefined ? (created?.input ?? null) : wanted.input;
  if (wanted.input !== undefined)
    await checkInput(service, { workspaceId, workflowId, workflowVersion: runnable.version }, input);
  const run = {
    ...{ id, workspaceId, spaceId, workflowId, workflowVersion: runnable.version, startedBy, startedByKey },
    trigger: { type: "retry" as const, id: old.id },
    context: { ...created?.trigger },
    attempt: old.attempt + 1,
    ...{ input, deployed, forFailure, key: old.key, labels: old.labels },
    ...(!fromStart && { retryOf: old.id, retryFrom: fromNode ?? null }),
  };
  const undo = await claim(service, old, wanted);
  try {
    const { doc } = await createKeyed(service, run, "reject");
    return { doc, input };
  } catch (error) {
    await undo();
    throw error;
  }
}
