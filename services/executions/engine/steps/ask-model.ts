import { v7 as uuid } from "uuid";
import type { InputOf, OutputOf } from "../../../../contracts/actions.ts";
import { call, hint } from "../../../../contracts/call.ts";
import { orGiveUp } from "../give-up.ts";
import type { StepContext } from "./step.ts";

/** The step's own limit ends the call and says step_timeout; the call's comes later, and only where that was missed. */
const LIMIT_MARGIN_MS = 1_000;

type Request = Omit<InputOf<"models.chat">, "workspaceId">;

/**
 * Asks the language model, which is told to stop once the step is cut off: it may go on for minutes otherwise, at somebody's
 * expense. Rejects with the errors of models.chat.
 */
export function askModel(
  { doc: { workspaceId }, parts: { broker }, signal }: StepContext,
  request: Request,
  limitMs: number,
): Promise<OutputOf<"models.chat">> {
  const callId = uuid();
  const cancel = () => hint(broker, "all", "models.call.cancelled", { workspaceId, callId });
  const options = { timeout: limitMs + LIMIT_MARGIN_MS, meta: { callId } };
  return orGiveUp(signal, cancel, () => call(broker, "models.chat", { workspaceId, ...request }, options));
}
