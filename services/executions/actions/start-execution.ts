import { call, handle, hint } from "../../../contracts/call.ts";
import type { OutputOf, ParamsOf } from "../../../contracts/actions.ts";
import { MAX_WAIT_MS } from "../../../contracts/actions/executions.ts";
import type { Execution } from "../../../contracts/entities/execution.ts";
import { newId } from "../../../service-kit/new-id.ts";
import { checkInput } from "./check-input.ts";
import { createKeyed } from "./create-keyed.ts";
import { identityOf } from "./run-identity.ts";
import { starterOf } from "../../../service-kit/starter-of.ts";
import { LOOK_MS } from "../engine/remote-ends.ts";
import type { Ended } from "../engine/waiters.ts";
import type { ExecutionDoc } from "../store/model.ts";
import { present } from "../store/present.ts";
import { presentEnded, readExecution } from "../store/read-execution.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

/** The time limit of a start. It leaves time to send the answer after the longest wait for a run. */
export const START_TIMEOUT_MS = MAX_WAIT_MS + 5_000;

/** Waits for the end of an execution, wherever it runs; undefined when `waitMs` passes first. */
export async function waitForEnd(
  service: ExecutionsService,
  doc: ExecutionDoc,
  waitMs: number,
): Promise<Ended | undefined> {
  const { engine, broker } = service;
  const deadline = performance.now() + waitMs;
  let soon = true;
  for (let left = waitMs; left > 0; left = deadline - performance.now()) {
    const here = engine.isHeld(doc.id);
    if (!here) hint(broker, "all", "execution.watched", { executionId: doc.id, forMs: 4 * LOOK_MS });
    const waiting = engine.waiters.wait(doc.id, here ? left : Math.min(left, LOOK_MS));
    // An execution that this node does not hold may have ended before this wait began. The look-up then ends the wait.
    const looking = here ? undefined : service.endsElsewhere.look(doc.id, { soon });
    const ended = await Promise.race([waiting, looking?.then(() => waiting) ?? waiting]);
    if (ended !== undefined) return ended;
    soon = false;
  }
  return undefined;
}

export const startExecution = handle<"executions.start", ExecutionsService>(
  "executions.start",
  async function (ctx): Promise<Execution> {
    const { workspaceId, spaceId, workflowId, input, waitMs, key, labels, onConflict } = ctx.params;
    const runnable = (await ctx.locals.alongside) as OutputOf<"workflows.runnable">;
    const workflow = { workspaceId, workflowId, workflowVersion: runnable.version };
    await checkInput(this, workflow, input);
    const trigger = { type: "manual" as const };
    const given = { ...(key && { key }), ...(labels && { labels }), ...(onConflict && { onConflict }) };
    const identity = await identityOf(this, { ...workflow, spaceId, input, trigger }, given);
    const wanted = { ...workflow, id: newId(ctx), spaceId, ...starterOf(ctx), trigger, attempt: 1, input };
    const named = { key: identity.key, labels: identity.labels };
    const { doc, found, ended: atOnce } = await createKeyed(this, { ...wanted, ...named }, identity.onConflict);
    if (found) ctx.meta.found = true;
    if (waitMs === 0 && found) return readExecution(this, doc);
    if (waitMs === 0) return present(doc, { input, output: null });
    const ended = atOnce ?? (await waitForEnd(this, doc, waitMs));
    return ended ? presentEnded(this, ended) : readExecution(this, doc);
  },
  {
    timeout: START_TIMEOUT_MS,
    alongside(ctx) {
      const { workspaceId, spaceId, workflowId, version } = ctx.params as ParamsOf<"executions.start">;
      return call(ctx, "workflows.runnable", { workspaceId, spaceId, workflowId, version });
    },
  },
);
