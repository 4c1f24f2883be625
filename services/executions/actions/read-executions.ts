import { handle } from "../../../contracts/call.ts";
import { notFound } from "../../../contracts/errors.ts";
import { Executions } from "../store/model.ts";
import { getExecution, readExecution } from "../store/read-execution.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

export const getOne = handle<"executions.get", ExecutionsService>("executions.get", function (ctx) {
  return this.reads.run(() => readExecution(this, ctx.params));
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
