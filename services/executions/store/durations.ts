import type { Store, WriteOp } from "../../../adapters/store/port.ts";
import { type ExecutionDoc, Executions } from "./model.ts";

/** The milliseconds from the start of an execution to its end; 0 if it never started. */
export const durationOf = (startedAt: Date | null | undefined, finishedAt: Date): number =>
  startedAt ? Math.max(0, finishedAt.getTime() - startedAt.getTime()) : 0;

/** The writes that set the durations of ended executions whose duration is missing or wrong. */
export const durationWrites = (store: Store, docs: readonly ExecutionDoc[]): WriteOp[] =>
  docs.flatMap(({ id, workspaceId, startedAt, finishedAt, durationMs: known }) => {
    const durationMs = finishedAt ? durationOf(startedAt, finishedAt) : undefined;
    if (durationMs === undefined || durationMs === known) return [];
    return [store.tenant(Executions, workspaceId).ops.updateOne({ id }, { $set: { durationMs } }, { counted: false })];
  });
