import { config } from "../../../config.ts";
import { handle } from "../../../contracts/call.ts";
import type { Execution } from "../../../contracts/entities/execution.ts";
import { notFound } from "../../../contracts/errors.ts";
import { namesOf } from "../../../service-kit/names.ts";
import { Executions } from "../store/model.ts";
import { queuePlace } from "../store/queue-place.ts";
import {
  type ExecutionAddress,
  getExecution,
  readExecution,
  journalOf,
  type WithValues,
} from "../store/read-execution.ts";
import type { ExecutionsService } from "../upkeep/service.ts";
import { stepPayloads } from "../store/step-payloads.ts";
import { presentNamed } from "../store/present.ts";

/** An execution, with its place in the queue if it has not started. */
export async function readWithPlace(service: WithValues, address: ExecutionAddress): Promise<Execution> {
  const execution = await readExecution(service, address);
  if (execution.status !== "pending") return execution;
  const queue = await queuePlace(service.store, address, config().EXECUTIONS_PER_WORKSPACE);
  return { ...execution, ...(queue && { queue }) };
}

export const getOne = handle<"executions.get", ExecutionsService>("executions.get", function (ctx) {
  return this.reads.run(() => readWithPlace(this, ctx.params));
});

export const progress = handle<"executions.progress", ExecutionsService>("executions.progress", async function (ctx) {
  const { finishedAt } = await getExecution(this, ctx.params);
  return { finishedAt: finishedAt?.toISOString() ?? null };
});

export const locate = handle<"executions.locate", ExecutionsService>("executions.locate", async function (ctx) {
  const { workspaceId, id } = ctx.params;
  const doc = await this.store.tenant(Executions, workspaceId).get({ id });
  if (!doc) throw notFound("execution");
  return { spaceId: doc.spaceId };
});

export const existing = handle<"executions.existing", ExecutionsService>("executions.existing", async function (ctx) {
  const { workspaceId, ids } = ctx.params;
  const { items } = await this.store.tenant(Executions, workspaceId).find({ id: { $in: ids } }, { limit: 1_000 });
  return { existing: items.map(({ id }) => id) };
});

export const output = handle<"executions.output", ExecutionsService>("executions.output", async function (ctx) {
  const { workspaceId, nodeId, path = [] } = ctx.params;
  const doc = await getExecution(this, ctx.params);
  const found = await this.reads.run(async () => {
    const outline = await this.outlines.of(workspaceId, doc.id);
    return stepPayloads(journalOf(this, doc), outline, { nodeId, path });
  });
  if (!found) throw notFound("step");
  return { ...found, output: await this.values.shown(workspaceId, found.output) };
});

export const summaries = handle<"executions.summaries", ExecutionsService>(
  "executions.summaries",
  async function (ctx) {
    const { workspaceId, ids } = ctx.params;
    if (ids.length === 0) return [];
    const { items } = await this.store
      .tenant(Executions, workspaceId)
      .find({ id: { $in: ids } }, { limit: ids.length });
    const users = items.map(doc => doc.startedBy);
    const names = await namesOf(ctx, workspaceId, { workflows: items.map(doc => doc.workflowId), users });
    return items.map(doc => ({ summary: presentNamed(doc, names), open: doc.asking ?? 0 }));
  },
);
