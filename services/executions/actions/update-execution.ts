import { handle } from "../../../contracts/call.ts";
import { notFound } from "../../../contracts/errors.ts";
import { labelWrites, removeLabels } from "../store/labels.ts";
import { Executions } from "../store/model.ts";
import { getExecution, readExecution } from "../store/read-execution.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

/** Changes the labels and the note of a run. They do not affect how the run goes on. */
export const update = handle<"executions.update", ExecutionsService>("executions.update", async function (ctx) {
  const { labels, note, ...address } = ctx.params;
  const { store } = this;
  const doc = await getExecution(this, address);
  if (labels === undefined && note === undefined) return readExecution(this, address);
  const isLabelled = labels !== undefined && Object.keys(labels).length > 0;
  if (labels) await store.write([removeLabels(store, doc), ...labelWrites(store, doc, labels)]);
  const changed = await store.tenant(Executions, doc.workspaceId).updateOne(
    { id: doc.id },
    {
      $set: { ...(isLabelled && { labels }), ...(note && { note }) },
      $unset: { ...(labels && !isLabelled && { labels: 1 }), ...((note === null || note === "") && { note: 1 }) },
    },
  );
  if (!changed) throw notFound("execution");
  this.watch.news.execution(doc.workspaceId, doc.id);
  return readExecution(this, address);
});
