import { handle } from "../../../contracts/call.ts";
import { AppError, notFound } from "../../../contracts/errors.ts";
import { type ExecutionDoc, Executions } from "../store/model.ts";
import { presentEntry } from "../store/present.ts";
import { getExecution, journalOf, readExecution } from "../store/read-execution.ts";
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

/** The seq of the last entry that a cursor has shown. The log only grows, so a cursor needs nothing else. */
function seqOf(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) throw new AppError("invalid_cursor");
  return Number(cursor);
}

export const logs = handle<"executions.logs", ExecutionsService>("executions.logs", async function (ctx) {
  const { limit, cursor } = ctx.params;
  // A request for a next page has both the cursor and the `after` of the first request; the cursor counts.
  const after = cursor === undefined ? (ctx.params.after ?? 0) : seqOf(cursor);
  const doc: ExecutionDoc = await getExecution(this, ctx.params);
  const { parsed } = await this.engine.definitions.get(doc.workspaceId, doc.workflowId, doc.workflowVersion);
  const { entries, more } = await this.reads.run(() => journalOf(this, doc).read(after, limit));
  return {
    items: entries.map(entry => presentEntry(doc.id, entry, parsed)),
    next: more ? String(entries.at(-1)?.seq ?? after) : null,
  };
});
