import type { Scope } from "../../../../adapters/expressions/index.ts";
import { DEFAULT_TIMEOUT_MS, type Policy } from "../../../../core/graph/definition.ts";
import type { DataOf, NodeTypeName } from "../../../../core/graph/node-types.ts";
import type { StepResult } from "../../../../core/run/entry.ts";
import type { Address } from "../../../../core/run/frame.ts";
import type { ExecutionDoc } from "../../model.ts";
import type { EngineParts } from "../parts.ts";

/** What a step may use besides its data. */
export interface StepContext {
  doc: Pick<ExecutionDoc, "id" | "workspaceId" | "spaceId" | "workflowId" | "startedBy" | "depth" | "deployed">;
  at: Address;
  /** It is tried on its own: what it would store, or send to people, stays undone. */
  dry?: boolean;
  /** The execution that the attempt before waited for. */
  former?: string | undefined;
  /** What flows in from the nodes before. */
  input(): unknown;
  /** The outputs that flow in, by source node id. */
  incoming(): Record<string, unknown>;
  scope: Scope;
  policy: Policy;
  /** Aborted by cancel, time-out and stop. */
  signal: AbortSignal;
  parts: Pick<EngineParts, "fetch" | "sandbox" | "broker">;
}

export type Perform<N extends NodeTypeName> = (
  data: DataOf<N>,
  context: StepContext,
) => StepResult | Promise<StepResult>;

export const done = (output: unknown, handle?: string): StepResult => ({
  kind: "done",
  output: output ?? null,
  handle,
});

export const failed = (code: string, message: string, retryable = true): StepResult => ({
  kind: "failed",
  error: { code, message },
  retryable,
});

export const timeoutOf = ({ timeoutMs = DEFAULT_TIMEOUT_MS }: Policy): number => timeoutMs;

/**
 * The same for every attempt of a step, and no other step's: `<executionId>:<nodeId>[:<index>…]`. Node ids are free text,
 * which a header is not.
 */
export const idempotencyKey = ({ id }: { id: string }, { nodeId, path = [] }: Address): string =>
  [id, encodeURIComponent(nodeId), ...path.map(part => part.index)].join(":");
