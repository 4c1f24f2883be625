import type { Scope } from "../../../../adapters/expressions/index.ts";
import { DEFAULT_TIMEOUT_MS, type Policy } from "../../../../core/graph/definition.ts";
import type { DataOf, NodeTypeName } from "../../../../core/graph/node-types.ts";
import type { LogLine, StepRecord, StepResult } from "../../../../core/run/entry.ts";
import type { Address } from "../../../../core/run/frame.ts";
import type { ExecutionDoc } from "../../model.ts";
import type { EngineParts } from "../parts.ts";

/** What a step has done of its work: `output` is what it gets back, `message` what the log says of it. */
export interface Recorded extends Partial<LogLine> {
  message: string;
  output: unknown;
}

/** What a step may use besides its data. */
export interface StepContext {
  doc: Pick<ExecutionDoc, "id" | "workspaceId" | "spaceId" | "workflowId" | "startedBy" | "depth" | "deployed">;
  at: Address;
  /** It is tried on its own: what it would store, or send to people, stays undone. */
  dry?: boolean;
  /** The execution that the attempt before waited for. */
  former?: string | undefined;
  /**
   * What it had done of its work when it was cut off, failed, or asked, with the answers to what it asked: oldest first. So a
   * step that records each part before it begins the next one does none of them twice.
   */
  records: readonly StepRecord[];
  /** Resolves when it is on disk. Rejects where the step is cut off: it must do nothing more then. */
  record(recorded: Recorded): Promise<void>;
  /** A line for the log, which is written now and not waited for. Whoever calls it bounds how often. */
  log(line: LogLine): void;
  /** What flows in from the nodes before. */
  input(): unknown;
  /** The outputs that flow in, by source node id. */
  incoming(): Record<string, unknown>;
  scope: Scope;
  policy: Policy;
  /** Aborted by cancel, time-out and stop. */
  signal: AbortSignal;
  parts: Pick<EngineParts, "fetch" | "sandbox" | "broker" | "toolCalls">;
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

/** What an attempt may take; `usual` where its policy says nothing of it. */
export const timeoutOf = ({ timeoutMs }: Policy, usual = DEFAULT_TIMEOUT_MS): number => timeoutMs ?? usual;

/**
 * The same for every attempt of a step, and no other step's: `<executionId>:<nodeId>[:<index>…]`. Node ids are free text,
 * which a header is not.
 */
export const idempotencyKey = ({ id }: { id: string }, { nodeId, path = [] }: Address): string =>
  [id, encodeURIComponent(nodeId), ...path.map(part => part.index)].join(":");
