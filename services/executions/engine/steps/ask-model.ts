import { v7 as uuid } from "uuid";
import type { InputOf, OutputOf } from "../../../../contracts/actions.ts";
import { call, hint } from "../../../../contracts/call.ts";
import { orAbort } from "../abort.ts";
import { LIMIT_MARGIN_MS, type StepContext, failed } from "./step.ts";
import { type ErrorCode, errorCode } from "../../../../contracts/errors.ts";
import type { StepResult } from "../../../../core/run/entry.ts";
import { callFailed } from "./call-failure.ts";
import { openTyped, StepFailure } from "./secrets.ts";

export type ModelRequest = Omit<InputOf<"models.chat">, "workspaceId" | "credential" | "words">;

interface Asking {
  limitMs: number;
  credentialId?: string | undefined;
  /** The number of the agent's turn. */
  turn?: number | undefined;
}

/**
 * Asks the language model of the operator, or that of a credential. An abort is forwarded to the model, which could
 * otherwise run for minutes and cost money.
 * @throws {StepFailure} when the step cannot use the credential
 * @throws {Error} the errors of `models.chat`
 */
export async function askModel(
  { doc, at, parts: { broker, modelWords }, secrets, signal, dry }: StepContext,
  request: ModelRequest,
  { limitMs, credentialId, turn }: Asking,
): Promise<OutputOf<"models.chat">> {
  const { workspaceId, spaceId } = doc;
  // Opened here too, so that its faults are reported as in other steps, and its key is masked in the step's output.
  const credential = credentialId === undefined ? undefined : await openTyped(secrets, credentialId, "model");
  const named = credential && { credential: { id: credential.id, spaceId } };
  // With a schema, a partial answer is not valid JSON, so followers get the whole answer only.
  const isHeard = !dry && request.schema === undefined && modelWords.areWanted({ doc });
  const heard = isHeard ? modelWords.await({ doc, place: { ...at, turn: turn ?? null }, secrets }) : undefined;
  const callId = heard?.callId ?? uuid();
  const cancel = () => hint(broker, "all", "models.call.cancelled", { workspaceId, callId });
  const options = { timeout: limitMs + LIMIT_MARGIN_MS, meta: { callId } };
  const asked = { workspaceId, ...request, ...named, ...(heard && { words: true }) };
  try {
    return await orAbort(signal, cancel, () => call(broker, "models.chat", asked, options));
  } finally {
    heard?.end();
  }
}

/** Errors after which the same request may succeed. */
const PASSING: ReadonlySet<ErrorCode> = new Set(["model_unavailable", "model_timeout", "model_bad_output"]);
const LASTING: ReadonlySet<ErrorCode> = new Set(["model_refused"]);

/**
 * Converts an error of the language model into a failed step.
 * @throws {StepFailure} the error itself if it is one
 */
export function modelFailure(error: unknown): StepResult {
  if (error instanceof StepFailure) throw error;
  const code = errorCode(error);
  if (code === "no_model_configured")
    return failed(
      "model_not_configured",
      "No language model is configured: name a credential, or set LLM_BASE_URL and LLM_MODEL.",
      false,
    );
  if (code !== undefined && (PASSING.has(code) || LASTING.has(code)))
    return failed(code, (error as Error).message, PASSING.has(code));
  return callFailed(error, "The model service");
}
