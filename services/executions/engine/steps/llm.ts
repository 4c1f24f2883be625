import { askModel, modelFailure } from "./ask-model.ts";
import { done, type Perform, timeoutOf } from "./step.ts";

/** Asks the language model that the operator configured. */
export const llm: Perform<"llm"> = async ({ prompt, messages, ...request }, context) => {
  const asked = messages ?? [{ role: "user" as const, content: prompt ?? "" }];
  try {
    return done(await askModel(context, { messages: asked, ...request }, timeoutOf(context.policy)));
  } catch (error) {
    return modelFailure(error);
  }
};
