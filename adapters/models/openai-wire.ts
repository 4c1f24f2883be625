import { z } from "zod";
import { habitFields } from "./chat-habits.ts";
import { ModelError } from "./model-error.ts";
import type { ModelServer } from "./model-server.ts";
import { readCalls, TOOL_CALLS, toolFields, wireMessages } from "./tool-calls.ts";
import { countOf, type Wire } from "./wire.ts";

const ANSWER = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.string().nullish(),
          refusal: z.string().nullish(),
          tool_calls: TOOL_CALLS,
        }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: z.number().default(0), completion_tokens: z.number().default(0) }).nullish(),
});

/** Speaks OpenAI's protocol (`POST /chat/completions`). */
export function openAiWire(server: ModelServer): Wire {
  return async request => {
    const { model, system, messages, habits, signal, group } = request;
    const body = {
      model,
      messages: [...(system ? [{ role: "system", content: system }] : []), ...wireMessages(messages)],
      stream: false,
      ...toolFields(request),
      ...habitFields(habits, request),
    };
    const { success, data } = ANSWER.safeParse(await server.post("/chat/completions", body, { signal, group }));
    const choice = data?.choices[0];
    if (!success || !choice) throw new ModelError("model_bad_output", "The model's server answered without a message");
    const { message, finish_reason: reason } = choice;
    const usage = {
      inputTokens: countOf(data.usage?.prompt_tokens),
      outputTokens: countOf(data.usage?.completion_tokens),
    };
    if (message.refusal || reason === "content_filter") return { text: message.refusal ?? "", usage, end: "refused" };
    const toolCalls = readCalls(message.tool_calls);
    return { text: message.content ?? "", toolCalls, usage, end: reason === "length" ? "length" : undefined };
  };
}
