import { hint } from "../../../contracts/call.ts";
import type { Graph } from "../../../core/graph/graph.ts";
import { cancelsByUndoing } from "../../../core/run/cancel.ts";
import type { RunState } from "../../../core/run/state.ts";
import { Executions, GOING_ON, markFollowUp, type ExecutionDoc } from "../store/model.ts";
import { headOrder } from "../store/queue-order.ts";
import { journalOf } from "../store/read-execution.ts";
import { removeWaits } from "../store/waits.ts";
import type { EngineService } from "./service.ts";
import { BEGUN } from "./take-over-cancel.ts";
import { graphOf } from "./workflow-cache.ts";

/** A run as its journal has it, and the graph that it runs. */
export async function readRun(service: EngineService, doc: ExecutionDoc): Promise<{ graph: Graph; state: RunState }> {
  const { workspaceId, workflowId, workflowVersion } = doc;
  const workflow = await service.engine.definitions.get(workspaceId, workflowId, workflowVersion);
  return { graph: graphOf(workflow), state: await journalOf(service, doc).fold() };
}

/**
 * Cancels an execution that undoes what it has done before it ends. The entry in its journal gives up all that is under
 * way, and the execution is queued for a worker that performs the compensations. An execution that undoes already goes
 * on undisturbed. Where the writes do not commit together, a follow-up finishes what has begun.
 * Returns false, and changes nothing, where there is nothing to undo.
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
  // A worker that has met the entry by itself has written that the compensations have begun, and goes on.
  const intended = { id: doc.id, undoes: "intended" as const, status: { $in: GOING_ON } };
  if (state.undoing && !state.undoing.cancelled) {
    // The execution failed at the same moment, and its worker undoes what it has done.
    await store.write([ops.updateOne(intended, { $unset: { undoes: 1 } })]);
    return true;
  }
  const queue = ops.updateOne(intended, {
    // The worker that held the execution did not cancel the children that are given up.
    $set: {
      ...{ status: "running", undoes: "begun", compensation: BEGUN },
      ...{ queued: true, order, lost: true },
      ...markFollowUp(),
    },
    $unset: { workerId: 1, wakeAt: 1, suspension: 1, asking: 1, inbox: 1 },
  });
  // Of two cancels, the slower one must not queue what a worker has begun for the faster one.
  const intend = ops.updateOne(
    { id: doc.id, undoes: { $ne: "begun" }, status: { $in: GOING_ON } },
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
