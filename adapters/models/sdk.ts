import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { EventReader } from "./model-server.ts";
import { StreamedContent } from "./streamed-content.ts";
import { StreamedMessage } from "./streamed-message.ts";

/** How a protocol asks for an answer that comes as an event stream, and how that becomes the answer in one piece. */
export interface Streaming {
  asked(this: void, url: string, json: string): { url: string; json: string };
  reader(this: void, told: (words: string) => void): EventReader;
}

/** Makes a model of a library. The library has nothing to call with but this fetch, and never sees a key. */
export type MakeModel = (place: { baseURL: string; model: string; fetch: typeof fetch }) => LanguageModelV4;

/** In place of a key, without which the libraries would read one from the environment. */
const apiKey = "not given to the library";

/** Each library takes some MiB and some tenths of a second, so it is loaded with its first call. */
export const SDKS = {
  anthropic: async (): Promise<MakeModel> => {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return ({ model, ...place }) => createAnthropic({ ...place, apiKey })(model);
  },
  google: async (): Promise<MakeModel> => {
    const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
    return ({ model, ...place }) => createGoogleGenerativeAI({ ...place, apiKey })(model);
  },
};

/** The libraries ask for answers in one piece. What they are told is the same, so errors and retries stay as they are. */
export const STREAMING = {
  anthropic: {
    asked: (url, json) => ({ url, json: JSON.stringify({ ...(JSON.parse(json) as object), stream: true }) }),
    reader: told => new StreamedMessage(told),
  },
  google: {
    asked: (url, json) => ({ url: url.replace(/:generateContent$/, ":streamGenerateContent?alt=sse"), json }),
    reader: told => new StreamedContent(told),
  },
} satisfies Record<keyof typeof SDKS, Streaming>;
