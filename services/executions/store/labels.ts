import type { Store, WriteOp } from "../../../adapters/store/port.ts";
import type { Labels } from "../../../contracts/entities/run-identity.ts";
import { type ExecutionDoc, labelRange, RunLabels } from "./model.ts";

type Labelled = Pick<ExecutionDoc, "id" | "workspaceId" | "createdAt">;

/** The writes that store the labels of an execution. */
export function labelWrites(store: Store, { id, workspaceId, createdAt }: Labelled, labels: Labels = {}): WriteOp[] {
  const { ops } = store.tenant(RunLabels, workspaceId);
  return Object.entries(labels).map(([name, value]) =>
    ops.insert({ id: `${id}:${name}`, workspaceId, executionId: id, name, value, createdAt }),
  );
}

/** The write that removes the labels of an execution. */
export const removeLabels = (store: Store, { id, workspaceId }: Omit<Labelled, "createdAt">): WriteOp =>
  store.tenant(RunLabels, workspaceId).ops.remove({ id: labelRange(id) });
