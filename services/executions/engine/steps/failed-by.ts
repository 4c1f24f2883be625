import { OutboundError } from "../../../../adapters/net/outbound-error.ts";
import { errorCode } from "../../../../contracts/errors.ts";
import { BodyError } from "../../../../core/http-body.ts";
import type { StepResult } from "../../../../core/run/entry.ts";
import { StepFailure } from "./secrets.ts";
import { failed } from "./step.ts";

/** Repeating the same call gives the same error. */
const LASTING = new Set(["outbound_refused", "response_too_large"]);

/**
 * Converts an error into the result of a step. It may be a fault of the step's data, of an external call, or of the
 * file store.
 * @throws {StepFailure} the error itself, since it already describes the failure
 * @throws {Error} the error itself, when it has no code
 */
export function failedBy(error: unknown): StepResult {
  if (error instanceof BodyError) return failed("invalid_data", error.message, false);
  if (error instanceof OutboundError) return failed(error.code, error.message, !LASTING.has(error.code));
  const code = errorCode(error);
  if (error instanceof StepFailure || code === undefined) throw error;
  return failed(code, (error as Error).message, code === "unavailable");
}
