import type { GuardedFetch } from "../../../../adapters/net/guarded-fetch.ts";
import type { DataOf, NodeTypeName } from "../../../../core/graph/node-types.ts";
import type { StepResult } from "../../../../core/run/entry.ts";

/** What a step may use besides its data. */
export interface StepContext {
  executionId: string;
  nodeId: string;
  /** What flows in from the nodes before. */
  input(): unknown;
  /** The outputs that flow in, by source node id. */
  incoming(): Record<string, unknown>;
  /** Aborted by cancel, time-out and stop. */
  signal: AbortSignal;
  timeoutMs: number;
  fetch: GuardedFetch["fetch"];
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
