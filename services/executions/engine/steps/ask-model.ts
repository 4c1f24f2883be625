import { v7 as uuid } from "uuid";
import type { InputOf, OutputOf } from "../../../../contracts/actions.ts";
import { call, hint } from "../../../../contracts/call.ts";
import { orGiveUp } from "../abort.ts";
import { LIMIT_MARGIN_MS, type StepContext, failed } from "./step.ts";
import { type ErrorCode, errorCode } from "../../../../contracts/errors.ts";
import type { StepResult } from "../../../../core/run/entry.ts";
import { callFailed } from "./call-failure.ts";

export type ModelRequest = Omit<InputOf<"models.chat">, "workspaceId">;

/**
 * Asks the language model. When the step is cut off, the model is told to stop, because it could otherwise go on for
 * minutes and cost money.
 * @throws {Error} the errors of `models.chat`
 */
export function askModel(
  { doc: { workspaceId }, parts: { broker }, signal }: StepContext,
  request: ModelRequest,
  limitMs: number,
): Promise<OutputOf<"models.chat">> {
  const callId = uuid();
  const cancel = () => hint(broker, "all", "models.call.cancelled", { workspaceId, callId });
  const options = { timeout: limitMs + LIMIT_MARGIN_MS, meta: { callId } };
  return orGiveUp(signal, cancel, () => call(broker, "models.chat", { workspaceId, ...request }, options));
}

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
