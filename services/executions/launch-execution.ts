import { UniqueConflictError } from "../../adapters/store/errors.ts";
import { call, handle } from "../../contracts/call.ts";
import type { OutputOf, ParamsOf } from "../../contracts/actions.ts";
import type { Response } from "../../contracts/entities/execution.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import type { Ended } from "./engine/waiters.ts";
import { Executions, type ExecutionDoc } from "./model.ts";
import type { NewExecution } from "./new-execution.ts";
import { present } from "./present.ts";
import { readExecution } from "./read-executions.ts";
import { readResponse, respondSteps } from "./read-response.ts";
import { journalOf, type ExecutionsService } from "./service.ts";
import { createExecution, START_TIMEOUT_MS, waitForEnd } from "./start-execution.ts";

/** How soon a caller is answered whose run goes on after its `respond` step. */
const LOOK_MS = 100;
/** Between two of them the other node has finished what it began. */
const MAX_TRIES = 3;

type Launch = ParamsOf<"executions.launch">;
interface Launched {
  doc: ExecutionDoc;
  replayed: boolean;
}

/**
 * The execution that already has this id. Where a node died between the two writes of a start there is a journal alone,
 * which is as good: it gets its document back, and whoever claims it goes on from the journal.
 */
async function findFirst(service: ExecutionsService, wanted: NewExecution & { id: string }) {
  const { store, engine } = service;
  const { id, workspaceId, spaceId } = wanted;
  const docs = store.tenant(Executions, workspaceId);
  const found = await docs.get({ id });
  if (found) {
    if (found.spaceId !== spaceId) throw new AppError("conflict", { detail: "The id belongs to another execution." });
    return found;
  }
  const created = await journalOf(service, wanted).created();
  if (!created) return null;
  const { workflowId, workflowVersion, startedBy, trigger, attempt } = wanted;
  const fields = { id, workspaceId, spaceId, workflowId, workflowVersion, startedBy, trigger, attempt };
  const doc: ExecutionDoc = { ...fields, status: "pending", createdAt: new Date(created.at) };
  await engine.queue.insert(workspaceId, order => docs.insert({ ...doc, queued: true, order }));
  engine.poke();
  return doc;
}

async function launchOnce(service: ExecutionsService, from: { call: unknown }, params: Launch): Promise<Launched> {
  const { id, workspaceId, spaceId, workflowId, version, input, trigger, context, startedBy } = params;
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
    trigger,
    attempt: 1,
    deployed: version === "deployed",
  };
  const wanted: NewExecution = { ...fields, input, context };
  if (id === undefined) return { doc: await createExecution(service, wanted), replayed: false };
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    try {
      return { doc: await createExecution(service, { ...wanted, id }), replayed: false };
    } catch (error) {
      if (!(error instanceof UniqueConflictError)) throw error;
    }
    try {
      const doc = await findFirst(service, { ...wanted, id });
      if (doc) return { doc, replayed: true };
    } catch (error) {
      if (!(error instanceof UniqueConflictError)) throw error;
    }
  }
  throw new AppError("conflict");
}

/** Launches of one id on this node share one launch: the first is not in the store before it has room there. */
function launch(service: ExecutionsService, from: { call: unknown }, params: Launch): Promise<Launched> {
  const { id } = params;
  if (id === undefined) return launchOnce(service, from, params);
  const underWay = service.launches.get(id);
  if (underWay) return underWay.then(({ doc }) => ({ doc, replayed: true }));
  const mine = launchOnce(service, from, params).finally(() => service.launches.delete(id));
  service.launches.set(id, mine);
  return mine;
}

/** Waits for the end of a run, or only for its `respond` step where it has one. */
async function waitForAnswer(service: ExecutionsService, doc: ExecutionDoc, waitMs: number) {
  const { parsed } = await service.engine.definitions.get(doc.workspaceId, doc.workflowId, doc.workflowVersion);
  const steps = respondSteps(parsed);
  const deadline = performance.now() + waitMs;
  let ended: Ended | undefined;
  let response: Response | null = null;
  for (let left = waitMs; left > 0 && ended === undefined && !response; left = deadline - performance.now()) {
    ended = await waitForEnd(service, doc, steps.size > 0 ? Math.min(left, LOOK_MS) : left);
    if (steps.size > 0) response = await readResponse(service, doc, steps);
  }
  return { ended, response };
}

export const launchExecution = handle<"executions.launch", ExecutionsService>(
  "executions.launch",
  async function (ctx): Promise<OutputOf<"executions.launch">> {
    const { input, waitMs } = ctx.params;
    const { doc, replayed } = await launch(this, ctx, ctx.params);
    if (waitMs === 0) {
      const execution = replayed ? await readExecution(this, doc) : present(doc, { input, output: null });
      return { execution, replayed, response: null };
    }
    const { ended, response } = await waitForAnswer(this, doc, waitMs);
    const execution = ended ? present(ended.doc, ended.state) : await readExecution(this, doc);
    return { execution, replayed, response };
  },
  { timeout: START_TIMEOUT_MS },
);
