import type { Compensation } from "../../../contracts/entities/execution.ts";
import type { RunState } from "../../../core/run/state.ts";
import { Executions, type ExecutionDoc } from "../store/model.ts";
import type { EngineParts } from "./parts.ts";

/** The outcome of compensations that have just begun. */
export const RUNNING_COMPENSATION: Compensation = { status: "running", compensated: [], failed: [] };

/**
 * Begins the compensations of a cancelled execution that this worker holds, before the cancel has queued it. Returns
 * null if the cancel, or a follow-up that finishes it, was faster. The execution is then queued, and the worker that
 * claims it performs the compensations.
 */
export async function takeOverCancel(
  { store, workerId }: Pick<EngineParts, "store" | "workerId">,
  doc: ExecutionDoc,
  { undoing }: RunState,
): Promise<ExecutionDoc | null> {
  if (!undoing?.cancelled || doc.undoes === "begun") return doc;
  const docs = store.tenant(Executions, doc.workspaceId);
  const mine = { id: doc.id, workerId };
  const change = { $set: { undoes: "begun" as const, compensation: RUNNING_COMPENSATION } };
  const begun = await docs.updateOne({ ...mine, undoes: { $ne: "begun" } }, change);
  // This worker may have claimed the queued execution already.
  return begun ? { ...begun, lost: doc.lost } : docs.get(mine);
}
