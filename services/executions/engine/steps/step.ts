import type { Scope } from "../../../../adapters/expressions/index.ts";
import { DEFAULT_TIMEOUT_MS, type Policy } from "../../../../core/graph/definition.ts";
import type { DataOf, NodeTypeName } from "../../../../core/graph/node-types.ts";
import type { LogLine, StepRecord, StepResult } from "../../../../core/run/entry.ts";
import type { Address } from "../../../../core/run/frame.ts";
import type { ExecutionDoc } from "../../store/model.ts";
import type { EngineParts } from "../parts.ts";
import type { Secrets } from "./secrets.ts";

/** A finished part of a step's work. The step gets `output` back when it continues; the log shows `message`. */
export interface Recorded extends Partial<LogLine> {
  message: string;
  output: unknown;
  /** The record holds all that the step's records before it held, which it does not get back. */
  replaces?: boolean;
}

/** The parts of the engine that steps use. */
export type StepParts = Pick<
  EngineParts,
  | "stream"
  | "connect"
  | "databases"
  | "sandbox"
  | "spreadsheets"
  | "broker"
  | "toolCalls"
  | "modelWords"
  | "credentials"
  | "values"
  | "definitions"
>;

/** What a step may use besides its data. */
export interface StepContext {
  doc: Pick<ExecutionDoc, "id" | "workspaceId" | "spaceId" | "workflowId" | "startedBy" | "depth" | "deployed"> &
    Partial<Pick<ExecutionDoc, "trigger">>;
  at: Address;
  /**
   * The step is tried, so it stores no values or files of the run. With `all`, it must also change nothing elsewhere
   * and send nothing to people.
   */
  dry?: "values" | "all" | undefined;
  /** The execution that the previous attempt waited for. */
  former?: string | undefined;
  /**
   * The parts of the work that were finished when the step was cut off, failed or asked, with the answers to its
   * questions, oldest first. A step that records each part before it begins the next one does no part twice.
   */
  records: readonly StepRecord[];
  /** Resolves when the record is on disk. @throws {CutOffError} when the step is cut off and must do nothing more */
  record(recorded: Recorded): Promise<void>;
  /** Writes a line to the log without waiting for the write. The caller limits how often. */
  log(line: LogLine): void;
  /** What flows in from the nodes before. */
  input(): unknown;
  /** The outputs that flow in, by source node id. */
  incoming(): Record<string, unknown>;
  scope: Scope;
  /** The round of a loop that has ended, with the outputs that its expressions see. */
  round?: { index: number; carry: unknown; steps: Record<string, unknown> } | undefined;
  policy: Policy;
  /** Aborted by cancel, time-out and stop. */
  signal: AbortSignal;
  parts: StepParts;
  /** The credentials that the step uses. */
  secrets: Secrets;
}

/**
 * Evaluates a field that the step's type names as `later`, over the step's scope and what is given here.
 * @throws {ExpressionError} as a rejection, when an expression fails
 */
export type Later = (field: string, seen: Partial<Scope>) => Promise<unknown>;

export type Perform<N extends NodeTypeName> = (
  data: DataOf<N>,
  context: StepContext,
  later: Later,
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

/** The time limit of an attempt in ms; `usual` where the policy sets none. */
export const timeoutOf = ({ timeoutMs }: Policy, usual = DEFAULT_TIMEOUT_MS): number => timeoutMs ?? usual;

/**
 * How much later a call that a step makes ends than the step. The step's own limit ends the call with step_timeout; the
 * call's limit applies only if the first is missed.
 */
export const LIMIT_MARGIN_MS = 1_000;

/**
 * The idempotency key of a step, `<executionId>:<nodeId>[:<index>…]`: the same for every attempt, and different from
 * every other step's. Node ids are free text, so they are encoded for use in a header.
 */
export const idempotencyKey = ({ id }: { id: string }, { nodeId, path = [] }: Address): string =>
  [id, encodeURIComponent(nodeId), ...path.map(part => part.index)].join(":");
