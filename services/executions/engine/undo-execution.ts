import { hint } from "../../../contracts/call.ts";
import type { Graph } from "../../../core/graph/graph.ts";
import { cancelsByUndoing } from "../../../core/run/cancel.ts";
import type { RunState } from "../../../core/run/state.ts";
import { Executions, UNFINISHED_STATUSES, markFollowUp, type ExecutionDoc } from "../store/model.ts";
import { headOrder } from "../store/queue-order.ts";
import { journalOf } from "../store/read-execution.ts";
import { removeWaits } from "../store/waits.ts";
import type { EngineService } from "./service.ts";
import { RUNNING_COMPENSATION } from "./take-over-cancel.ts";
import { graphOf } from "./workflow-cache.ts";

/** The state of a run according to its journal, and its graph. */
export async function readRun(service: EngineService, doc: ExecutionDoc): Promise<{ graph: Graph; state: RunState }> {
  const { workspaceId, workflowId, workflowVersion } = doc;
  const workflow = await service.engine.definitions.get(workspaceId, workflowId, workflowVersion);
  return { graph: graphOf(workflow), state: await journalOf(service, doc).fold() };
}

/**
 * Cancels an execution that compensates before it ends. The entry in its journal gives up all running work, and the
 * execution is queued for a worker that performs the compensations. An execution that already compensates continues
 * unchanged. Where the writes do not commit together, a follow-up finishes an interrupted cancel. Returns false, and
 * changes nothing, if there is nothing to undo.
 * @throws {UniqueConflictError} when the execution has moved on meanwhile
 * @throws {NewerEntryError} when only a newer version understands the journal
 */
export async function undoExecution(service: EngineService, doc: ExecutionDoc, cancelId: string): Promise<boolean> {
  const { store, broker, engine } = service;
  const { graph, state } = await readRun(service, doc);
  const entry = state.undoing ? null : cancelsByUndoing(graph, state, new Date());
  if (!state.undoing && !entry) return false;
  const { ops } = store.tenant(Executions, doc.workspaceId);
  const order = (await headOrder(store)) ?? 0;
  // A worker that found the entry by itself has recorded that the compensations have begun, and continues.
  const intended = { id: doc.id, undoes: "intended" as const, status: { $in: UNFINISHED_STATUSES } };
  if (state.undoing && !state.undoing.cancelled) {
    // The execution failed at the same moment, and its worker already compensates.
    await store.write([ops.updateOne(intended, { $unset: { undoes: 1 } })]);
    return true;
  }
  const queue = ops.updateOne(intended, {
    // The worker that held the execution has not cancelled the children that were given up.
    $set: {
      ...{ status: "running", undoes: "begun", compensation: RUNNING_COMPENSATION },
      ...{ queued: true, order, lost: true },
      ...markFollowUp(),
    },
    $unset: { workerId: 1, wakeAt: 1, suspension: 1, asking: 1, inbox: 1 },
  });
  // Of two concurrent cancels, the slower one must not queue an execution that a worker has begun for the faster one.
  const intend = ops.updateOne(
    { id: doc.id, undoes: { $ne: "begun" }, status: { $in: UNFINISHED_STATUSES } },
    { $set: { undoes: "intended", cancelId, ...markFollowUp() } },
  );
  const begin = entry ? [intend, removeWaits(store, doc), journalOf(service, doc).cancels(entry, cancelId)] : [];
  const written = await store.write([...begin, queue]);
  if (!entry && written.at(-1) === 0) return true;
  if (entry) service.watch.announce(doc.id, entry.seq);
  service.watch.news.execution(doc.workspaceId, doc.id, [doc.asking ?? 0, 0]);
  engine.abort(doc.id, { undoes: true });
  hint(broker, "all", "execution.cancelled", { executionId: doc.id, undoes: true });
  engine.poke();
  hint(broker, "one", "execution.queued", { executionId: doc.id });
  service.followUps.soon(doc);
  return true;
}
