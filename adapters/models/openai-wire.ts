import { z } from "zod";
import { dialectFields } from "./chat-dialect.ts";
import { ModelError } from "./model-error.ts";
import type { ModelServer } from "./model-server.ts";
import type { ChatRequest } from "./port.ts";
import { StreamedCompletion } from "./streamed-completion.ts";
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

/** Creates a reader for each attempt, because an attempt streams the answer from its beginning. */
const reading = (onWords: NonNullable<ChatRequest["onWords"]>) => () => {
  let at = 0;
  return new StreamedCompletion(words => {
    onWords(at, words);
    at += words.length;
  });
};

/** Implements OpenAI's protocol (`POST /chat/completions`). */
export function openAiWire(server: ModelServer): Wire {
  return async request => {
    const { model, system, messages, habits, signal, group, onWords } = request;
    const streams = onWords !== undefined && habits.streams;
    const body = {
      model,
      messages: [...(system ? [{ role: "system", content: system }] : []), ...wireMessages(messages)],
      ...(streams ? { stream: true, stream_options: { include_usage: true } } : { stream: false }),
      ...toolFields(request),
      ...dialectFields(habits, request),
    };
    const { success, data } = ANSWER.safeParse(
      await server.post("/chat/completions", body, { signal, group, reader: streams ? reading(onWords) : undefined }),
    );
    const choice = data?.choices[0];
    if (!success || !choice) throw new ModelError("model_bad_output", "The model's server answered without a message");
    const { message, finish_reason: reason } = choice;
    const usage = {
      inputTokens: countOf(data.usage?.prompt_tokens),
      outputTokens: countOf(data.usage?.completion_tokens),
    };
    if (message.refusal || reason === "content_filter") return { text: message.refusal ?? "", usage, end: "refused" };
    const toolCalls = readCalls(message.tool_calls);
    const end = reason === "length" ? "length" : undefined;
    return { text: message.content ?? "", toolCalls, usage, end, ...(streams && !data.usage && { uncounted: true }) };
  };
}
