import { call } from "../../../../contracts/call.ts";
import { modelFailure } from "./model-failure.ts";
import { done, type Perform, timeoutOf } from "./step.ts";

/** Asks the language model that the operator configured. */
export const llm: Perform<"llm"> = async ({ prompt, messages, ...request }, { doc, policy, parts }) => {
  const { workspaceId } = doc;
  const asked = messages ?? [{ role: "user" as const, content: prompt ?? "" }];
  try {
    const options = { timeout: timeoutOf(policy) };
    return done(await call(parts.broker, "models.chat", { workspaceId, messages: asked, ...request }, options));
  } catch (error) {
    return modelFailure(error);
  }
};
