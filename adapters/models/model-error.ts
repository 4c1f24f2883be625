import { GateFullError } from "../processes/gate.ts";

/**
 * `model_refused`: repeating the same request is useless. `model_bad_output`: the answer does not have the requested
 * form.
 */
export type ModelErrorCode =
  | "no_model_configured"
  | "model_unavailable"
  | "model_timeout"
  | "model_refused"
  | "model_bad_output"
  | "model_aborted";

/** A failed call of a model. The message is for users and contains neither keys nor addresses. */
export class ModelError extends Error {
  readonly code: ModelErrorCode;
  /** The wait that the server asked for, if it did. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ModelErrorCode, message: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message, { cause: options.cause });
    this.name = "ModelError";
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A transient failure: another attempt may succeed, after `waitMs` if the server named a wait. */
export class TransientModelError extends Error {
  readonly failure: ModelError;
  readonly waitMs: number | undefined;

  constructor(failure: ModelError, waitMs?: number) {
    super(failure.message);
    this.failure = failure;
    this.waitMs = waitMs;
  }
}

/** Converts the error of a full gate to a `ModelError`. Returns other errors unchanged. */
export const fromGateError = (error: unknown): unknown =>
  error instanceof GateFullError
    ? new ModelError("model_unavailable", "Too many calls wait for the model: try again later", { cause: error })
    : error;
