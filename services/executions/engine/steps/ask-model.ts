import { v7 as uuid } from "uuid";
import type { InputOf, OutputOf } from "../../../../contracts/actions.ts";
import { call, hint } from "../../../../contracts/call.ts";
import { orGiveUp } from "../give-up.ts";
import { LIMIT_MARGIN_MS, type StepContext } from "./step.ts";

type Request = Omit<InputOf<"models.chat">, "workspaceId">;

/**
 * Asks the language model. When the step is cut off, the model is told to stop, because it could otherwise go on for
 * minutes and cost money.
 * @throws {Error} the errors of `models.chat`
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
