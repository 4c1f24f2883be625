import { v7 as uuid } from "uuid";
import { call, handle } from "../../../contracts/call.ts";
import type { OutputOf, ParamsOf } from "../../../contracts/actions.ts";
import { notFound } from "../../../contracts/errors.ts";
import type { CreatedExecution } from "../engine/create-execution.ts";
import { createCounted } from "../engine/start-quota.ts";
import type { Ended } from "../engine/waiters.ts";
import { Executions } from "../store/model.ts";
import type { NewExecution } from "../store/new-execution.ts";
import { present } from "../store/present.ts";
import { presentEnded, readExecution } from "../store/read-execution.ts";
import { readResponse, respondSteps } from "../store/read-response.ts";
import type { ExecutionsService } from "../upkeep/service.ts";
import { createKeyed } from "./create-keyed.ts";
import { identityOf } from "./run-identity.ts";
import { START_TIMEOUT_MS, waitForEnd } from "./start-execution.ts";

/** How often the run of a waiting caller is checked for an answer. Such a run may go on after its `respond` step. */
const LOOK_MS = 100;

type Launch = ParamsOf<"executions.launch">;
interface Launched extends CreatedExecution {
  replayed: boolean;
}

async function launchOnce(service: ExecutionsService, from: { call: unknown }, params: Launch): Promise<Launched> {
  const { id, workspaceId, spaceId, workflowId, version, input, trigger, context, startedBy, startedByKey } = params;
  if (id !== undefined) {
    const doc = await service.store.tenant(Executions, workspaceId).get({ id, spaceId });
    if (doc) return { doc, replayed: true };
  }
  const { exists } = await call(from, "pods.spaces.exists", { workspaceId, spaceId });
  if (!exists) throw notFound("space");
  const runnable = await call(from, "workflows.runnable", { workspaceId, spaceId, workflowId, version });
  const fields = {
    workspaceId,
    spaceId,
    workflowId,
    workflowVersion: runnable.version,
    startedBy,
    startedByKey,
    trigger,
    attempt: 1,
    deployed: version === "deployed",
  };
  const { key, labels, onConflict } = await identityOf(service, { ...fields, input, context });
  const wanted: NewExecution = { ...fields, input, context, key, labels };
  if (id === undefined && key === undefined) return createCounted(service, wanted);
  const { replayed, found, ...created } = await createKeyed(service, { ...wanted, id: id ?? uuid() }, onConflict);
  return { ...created, replayed: replayed || found };
}

/**
 * Launches with the same id on this node share one launch, because the store does not contain the first one at once.
 */
function launch(service: ExecutionsService, from: { call: unknown }, params: Launch): Promise<Launched> {
  const { id } = params;
  if (id === undefined) return launchOnce(service, from, params);
  const underWay = service.launches.get(id);
  if (underWay) return underWay.then(({ doc }) => ({ doc, replayed: true }));
  const mine = launchOnce(service, from, params).finally(() => service.launches.delete(id));
  service.launches.set(id, mine);
  return mine;
}

/** Waits for the end of a run, or only for its `respond` step if it has one. */
async function waitForAnswer(
  service: ExecutionsService,
  { doc, ended: atOnce }: CreatedExecution,
  { waitMs, waitFor }: Launch,
) {
  const { parsed } = await service.engine.definitions.get(doc.workspaceId, doc.workflowId, doc.workflowVersion);
  const steps = waitFor === "end" ? new Set<string>() : respondSteps(parsed);
  const deadline = performance.now() + waitMs;
  let ended: Ended | undefined;
  let look: Awaited<ReturnType<typeof readResponse>> = { response: null, from: 0 };
  for (let left = waitMs; left > 0 && ended === undefined && !look.response; left = deadline - performance.now()) {
    ended = atOnce ?? (await waitForEnd(service, doc, steps.size > 0 ? Math.min(left, LOOK_MS) : left));
    if (steps.size > 0) look = await readResponse(service, doc, steps, look.from);
  }
  return { ended, response: look.response };
}

export const launchExecution = handle<"executions.launch", ExecutionsService>(
  "executions.launch",
  async function (ctx): Promise<OutputOf<"executions.launch">> {
    const { input, waitMs } = ctx.params;
    const launched = await launch(this, ctx, ctx.params);
    const { doc, replayed } = launched;
    if (waitMs === 0) {
      const execution = replayed ? await readExecution(this, doc) : present(doc, { input, output: null });
      return { execution, replayed, response: null };
    }
    const { ended, response } = await waitForAnswer(this, launched, ctx.params);
    const execution = ended ? await presentEnded(this, ended) : await readExecution(this, doc);
    return { execution, replayed, response };
  },
  { timeout: START_TIMEOUT_MS },
);
