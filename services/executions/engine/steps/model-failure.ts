import { type ErrorCode, errorCode } from "../../../../contracts/errors.ts";
import type { StepResult } from "../../../../core/run/entry.ts";
import { callFailed } from "./call-failure.ts";
import { failed } from "./step.ts";

/** Errors after which the same request may succeed. */
const PASSING: ReadonlySet<ErrorCode> = new Set(["model_unavailable", "model_timeout", "model_bad_output"]);
const LASTING: ReadonlySet<ErrorCode> = new Set(["model_refused"]);

/** The failed step that an error of the language model leads to. */
export function modelFailure(error: unknown): StepResult {
  const code = errorCode(error);
  if (code === "no_model_configured")
    return failed("model_not_configured", "No language model is configured: set LLM_BASE_URL and LLM_MODEL.", false);
  if (code !== undefined && (PASSING.has(code) || LASTING.has(code)))
    return failed(code, (error as Error).message, PASSING.has(code));
  return callFailed(error, "The model service");
}
