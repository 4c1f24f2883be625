/** `model_refused`: asking again as before is no use. `model_bad_output`: it answered, but not what was asked for. */
export type ModelErrorCode =
  | "no_model_configured"
  | "model_unavailable"
  | "model_timeout"
  | "model_refused"
  | "model_bad_output"
  | "model_aborted";

/** A model that gave no use. The message is for people and holds neither keys nor addresses. */
export class ModelError extends Error {
  readonly code: ModelErrorCode;
  /** When the server said so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ModelErrorCode, message: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message, { cause: options.cause });
    this.name = "ModelError";
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
