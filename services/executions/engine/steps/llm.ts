import type { DataOf } from "../../../../core/graph/node-types.ts";
import { askModel, modelFailure, type ModelRequest } from "./ask-model.ts";
import { shownFiles } from "./model-files.ts";
import { StepFailure } from "./secrets.ts";
import { done, type Perform, type StepContext, timeoutOf } from "./step.ts";

type Messages = ModelRequest["messages"];

/** The messages with the ids of their files. The step's `files` belong to the last message of the user. */
async function messagesOf({ prompt, messages, files = [] }: DataOf<"llm">, context: StepContext): Promise<Messages> {
  const given = messages ?? [{ role: "user" as const, content: prompt ?? "" }];
  const last = given.findLastIndex(({ role }) => role === "user");
  if (files.length > 0 && last < 0)
    throw new StepFailure("invalid_data", "/data/files: there is no message of the user that they could belong to.");
  const own = await shownFiles(files, context);
  const asked: Messages = [];
  for (const [index, { role, content, files: named = [] }] of given.entries()) {
    if (role !== "user") {
      asked.push({ role, content });
      continue;
    }
    const ids = await shownFiles(named, context, `/data/messages/${index}/files`);
    const all = index === last ? [...new Set([...ids, ...own])] : ids;
    asked.push({ role, content, ...(all.length > 0 && { files: all }) });
  }
  return asked;
}

/** Asks the language model of a credential, or the one that the operator configured. */
export const llm: Perform<"llm"> = async (data, context) => {
  const { schema, model, temperature, maxTokens, system } = data;
  const messages = await messagesOf(data, context);
  const request = { messages, schema, model, temperature, maxTokens, system };
  try {
    return done(
      await askModel(context, request, { limitMs: timeoutOf(context.policy), credentialId: data.credential }),
    );
  } catch (error) {
    return modelFailure(error);
  }
};
