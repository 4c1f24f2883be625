import { defineCollection, type DocumentOf } from "../../../adapters/store/define-collection.ts";
import { date, string } from "../../../adapters/store/field-types.ts";
import type { Store, WriteOp } from "../../../adapters/store/port.ts";
import type { Labels } from "../../../contracts/entities/run-identity.ts";
import { type ExecutionDoc, Executions } from "./model.ts";

/** One label of an execution, so that lists find it by an index. Its id is the execution's id and the label's name. */
export const RunLabels = defineCollection({
  name: "runLabels",
  tenant: true,
  fields: { executionId: string(), name: string(), value: string(), createdAt: date() },
  indexes: [[{ workspaceId: 1, name: 1, value: 1, createdAt: -1, _id: -1 }]],
});
export type RunLabelDoc = DocumentOf<typeof RunLabels>;
/** The range of ids of an execution's labels. */
export const labelRange = (executionId: string) => ({ $gte: `${executionId}:`, $lt: `${executionId};` });

type Labelled = Pick<ExecutionDoc, "id" | "workspaceId" | "createdAt">;

/** The writes that store the labels of an execution. */
export function labelWrites(store: Store, { id, workspaceId, createdAt }: Labelled, labels: Labels = {}): WriteOp[] {
  const { ops } = store.tenant(RunLabels, workspaceId);
  return Object.entries(labels).map(([name, value]) =>
    ops.insert({ id: `${id}:${name}`, workspaceId, executionId: id, name, value, createdAt }),
  );
}

/**
 * The writes that insert an execution with its labels. They conflict while another open execution has its key. An
 * execution that has already ended needs the key to be free as well, although it does not keep it.
 */
export function insertWrites(store: Store, doc: ExecutionDoc, openKey = doc.openKey): WriteOp[] {
  const { ops } = store.tenant(Executions, doc.workspaceId);
  const labels = labelWrites(store, doc, doc.labels);
  return [ops.insert(doc, openKey === doc.openKey ? undefined : { openKey }), ...labels];
}

/** The write that removes the labels of an execution. */
export const removeLabels = (store: Store, { id, workspaceId }: Omit<Labelled, "createdAt">): WriteOp =>
  store.tenant(RunLabels, workspaceId).ops.remove({ id: labelRange(id) });
