import type { Scope } from "../../../../adapters/expressions/index.ts";
import { DEFAULT_TIMEOUT_MS, type Policy } from "../../../../core/graph/definition.ts";
import type { DataOf, NodeTypeName } from "../../../../core/graph/node-types.ts";
import type { LogLine, StepRecord, StepResult } from "../../../../core/run/entry.ts";
import type { Address } from "../../../../core/run/frame.ts";
import type { ExecutionDoc } from "../../store/model.ts";
import type { EngineParts } from "../parts.ts";
import type { Secrets } from "./secrets.ts";

/** A finished part of a step's work. The step receives `output` again when it continues. The log shows `message`. */
export interface Recorded extends Partial<LogLine> {
  message: string;
  output: unknown;
  /** This record contains everything from the step's earlier records. The step does not receive those again. */
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

/** Everything that a step may use besides its data. */
export interface StepContext {
  doc: Pick<ExecutionDoc, "id" | "workspaceId" | "spaceId" | "workflowId" | "startedBy" | "depth" | "deployed"> &
    Partial<Pick<ExecutionDoc, "trigger">>;
  at: Address;
  /**
   * Set in a test: the step stores no values or files of the run. With `all`, it must also change nothing elsewhere and
   * send nothing to people.
   */
  dry?: "values" | "all" | undefined;
  /** The execution that the previous attempt waited for. */
  former?: string | undefined;
  /**
   * The parts of the work that were finished when the step was interrupted, failed or asked a question, with the
   * answers to its questions, oldest first. A step that records each part before it begins the next does no part twice.
   */
  records: readonly StepRecord[];
  /**
   * Resolves when the record is stored.
   * @throws {CutOffError} when the step is cut off and must do nothing more
   */
  record(recorded: Recorded): Promise<void>;
  /** Writes a line to the log without waiting for the write. The caller must limit how often. */
  log(line: LogLine): void;
  /** The input from the preceding nodes. */
  input(): unknown;
  /** The outputs of the preceding nodes, by node id. */
  incoming(): Record<string, unknown>;
  scope: Scope;
  /** The last completed round of a loop, with the outputs that its expressions see. */
  round?: { index: number; carry: unknown; steps: Record<string, unknown> } | undefined;
  policy: Policy;
  /** Aborted by a cancel, a timeout or a stop. */
  signal: AbortSignal;
  parts: StepParts;
  /** The credentials that the step uses. */
  secrets: Secrets;
}

/**
 * Evaluates a field that the step's type lists under `later`, with the step's scope and the given values.
 * @throws {ExpressionError} as a rejection, when an expression fails
 */
export type EvaluateLater = (field: string, seen: Partial<Scope>) => Promise<unknown>;

export type Perform<N extends NodeTypeName> = (
  data: DataOf<N>,
  context: StepContext,
  later: EvaluateLater,
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

/** The time limit of an attempt in ms; `usual` if the policy sets none. */
export const timeoutOf = ({ timeoutMs }: Policy, usual = DEFAULT_TIMEOUT_MS): number => timeoutMs ?? usual;

/**
 * How much later a call ends than the step that makes it. The step's own limit normally ends the call with
 * step_timeout. The call's limit applies only if that fails.
 */
export const LIMIT_MARGIN_MS = 1_000;

/**
 * The idempotency key of a step, `<executionId>:<nodeId>[:<index>…]`. It is the same for every attempt, and different
 * for every other step. Node ids are free text, so they are encoded for use in a header.
 */
export const idempotencyKey = ({ id }: { id: string }, { nodeId, path = [] }: Address): string =>
  [id, encodeURIComponent(nodeId), ...path.map(part => part.index)].join(":");
