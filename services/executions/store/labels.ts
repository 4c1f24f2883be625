import type { Store, WriteOp } from "../../../adapters/store/port.ts";
import type { Labels } from "../../../contracts/entities/run-identity.ts";
import { type ExecutionDoc, Executions } from "./model.ts";
import { labelRange, RunLabels } from "./meeting-model.ts";

type Labelled = Pick<ExecutionDoc, "id" | "workspaceId" | "createdAt">;

/** The writes that store the labels of an execution. */
export function labelWrites(store: Store, { id, workspaceId, createdAt }: Labelled, labels: Labels = {}): WriteOp[] {
  const { ops } = store.tenant(RunLabels, workspaceId);
  return Object.entries(labels).map(([name, value]) =>
    ops.insert({ id: `${id}:${name}`, workspaceId, executionId: id, name, value, createdAt }),
  );
}

/** The writes that insert an execution with its labels. */
export const insertWrites = (store: Store, doc: ExecutionDoc): WriteOp[] => [
  store.tenant(Executions, doc.workspaceId).ops.insert(doc),
  ...labelWrites(store, doc, doc.labels),
];

/** The write that removes the labels of an execution. */
export const removeLabels = (store: Store, { id, workspaceId }: Omit<Labelled, "createdAt">): WriteOp =>
  store.tenant(RunLabels, workspaceId).ops.remove({ id: labelRange(id) });
