import { OutboundError } from "../../../../adapters/net/outbound-error.ts";
import { errorCode } from "../../../../contracts/errors.ts";
import { BodyError } from "../../../../core/http-body.ts";
import type { StepResult } from "../../../../core/run/entry.ts";
import { StepFailure } from "./secrets.ts";
import { failed } from "./step.ts";

/** A repetition of the same call ends the same way. */
const LASTING = new Set(["outbound_refused", "response_too_large"]);

/**
 * The result of a step whose work failed with this error: faults of its data, of a call to the outside, or of the store
 * of files. @throws the error itself when it has no code, and a {StepFailure}, which already says what it means
 */
export function failedBy(error: unknown): StepResult {
  if (error instanceof BodyError) return failed("invalid_data", error.message, false);
  if (error instanceof OutboundError) return failed(error.code, error.message, !LASTING.has(error.code));
  const code = errorCode(error);
  if (error instanceof StepFailure || code === undefined) throw error;
  return failed(code, (error as Error).message, code === "unavailable");
}
