import { UniqueConflictError } from "../../adapters/store/errors.ts";
import { call, callerOf, handle, hint } from "../../contracts/call.ts";
import { MAX_WAIT_MS } from "../../contracts/actions/executions.ts";
import type { Execution } from "../../contracts/entities/execution.ts";
import { newId } from "../../mixins/new-id.ts";
import { isFinal } from "../../core/run/state.ts";
import type { Ended } from "./engine/waiters.ts";
import { Executions, type ExecutionDoc } from "./model.ts";
import { newExecution, type NewExecution } from "./new-execution.ts";
import { present } from "./present.ts";
import { readExecution } from "./read-executions.ts";
import { getExecution, journalOf, type ExecutionsService } from "./service.ts";

/** An answer that has waited this long for its run has a little time left to be sent. */
export const START_TIMEOUT_MS = MAX_WAIT_MS + 5_000;
const WATCH_MS = 500;

/**
 * Stores a new execution: begun at once where there is room and no queue, queued in its workspace's turn otherwise.
 * UniqueConflictError where the id is taken.
 */
export async function createExecution(service: ExecutionsService, wanted: NewExecution): Promise<ExecutionDoc> {
  const { engine, store, broker } = service;
  const { doc, created } = newExecution(wanted);
  if (!wanted.retryOf && engine.hasRoom) {
    const workflow = await engine.definitions.get(doc.workspaceId, doc.workflowId, doc.workflowVersion);
    // Others may have taken the room meanwhile. Where runs have to be counted, the queue does it.
    if (engine.hasRoom && !workflow.parsed.graph?.settings.concurrency) {
      if (engine.isHeld(doc.id)) throw new UniqueConflictError(Executions.name, ["id"]);
      await engine.begin(doc, created, workflow);
      return doc;
    }
  }
  const docs = store.tenant(Executions, doc.workspaceId);
  const appends = journalOf(service, doc).appends([created]);
  await engine.queue.insert(doc.workspaceId, order =>
    store.write([...appends, docs.ops.insert({ ...doc, queued: true, order })]),
  );
  engine.poke();
  hint(broker, "one", "execution.queued", { executionId: doc.id });
  return doc;
}

/** Waits for the end of an execution, wherever it runs; undefined when `waitMs` passes first. */
export async function waitForEnd(
  service: ExecutionsService,
  doc: ExecutionDoc,
  waitMs: number,
): Promise<Ended | undefined> {
  const { engine, broker } = service;
  const deadline = performance.now() + waitMs;
  for (let left = waitMs; left > 0; left = deadline - performance.now()) {
    const here = engine.isHeld(doc.id);
    if (!here) hint(broker, "all", "execution.watched", { executionId: doc.id, forMs: 4 * WATCH_MS });
    const waiting = engine.waiters.wait(doc.id, here ? left : Math.min(left, WATCH_MS));
    // What is not here may have ended before anybody waited for it.
    if (!here && isFinal((await getExecution(service, doc)).status)) {
      engine.waiters.ended(doc.id, null);
      return null;
    }
    const ended = await waiting;
    if (ended !== undefined) return ended;
  }
  return undefined;
}

export const startExecution = handle<"executions.start", ExecutionsService>(
  "executions.start",
  async function (ctx): Promise<Execution> {
    const { workspaceId, spaceId, workflowId, input, version, waitMs } = ctx.params;
    const { userId: startedBy } = callerOf(ctx);
    const runnable = await call(ctx, "workflows.runnable", { workspaceId, spaceId, workflowId, version });
    const doc = await createExecution(this, {
      id: newId(ctx),
      workspaceId,
      spaceId,
      workflowId,
      workflowVersion: runnable.version,
      startedBy,
      trigger: { type: "manual" },
      attempt: 1,
      input,
    });
    if (waitMs === 0) return present(doc, { input, output: null });
    const ended = await waitForEnd(this, doc, waitMs);
    return ended ? present(ended.doc, ended.state) : readExecution(this, doc);
  },
  { timeout: START_TIMEOUT_MS },
);
