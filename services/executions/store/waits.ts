import { createHash } from "node:crypto";
import type { Store, WriteOp } from "../../../adapters/store/port.ts";
import type { Awaited } from "../../../core/run/entry.ts";
import { type Address, keyOf, type NodeState } from "../../../core/run/frame.ts";
import { type WaitDoc, Waits } from "./signal-model.ts";
import type { ExecutionDoc } from "./model.ts";

/** A unique text for a step of an execution. Node ids may contain any character. */
export const placeOf = (executionId: string, at: Address): string =>
  `${executionId}:${createHash("sha256").update(keyOf(at)).digest("base64url").slice(0, 22)}`;

/** The document of a step that waits. */
export function waitOf(
  { id: executionId, workspaceId, spaceId }: Pick<ExecutionDoc, "id" | "workspaceId" | "spaceId">,
  { at, node }: { at: Address; node: Pick<NodeState, "attempt"> & { awaits: Awaited } },
): WaitDoc {
  const place = placeOf(executionId, at);
  const { event, key } = node.awaits;
  return {
    id: `${place}:${node.attempt}`,
    ...{ workspaceId, spaceId, executionId, attempt: node.attempt, place },
    at: { nodeId: at.nodeId, ...(at.path && { path: [...at.path] }) },
    ...(event !== undefined && { event, ...(key !== undefined && { key }) }),
  };
}

/** The write that removes all waits of an execution. */
export const removeWaits = (store: Store, { id, workspaceId }: { id: string; workspaceId: string }): WriteOp =>
  store.tenant(Waits, workspaceId).ops.remove({ id: { $gte: `${id}:`, $lt: `${id};` } });
