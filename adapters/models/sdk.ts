import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { EventReader } from "./model-server.ts";
import { StreamedContent } from "./streamed-content.ts";
import { StreamedMessage } from "./streamed-message.ts";

/** How a protocol requests an answer as an event stream, and how the stream becomes an answer in one piece. */
export interface Streaming {
  asked(this: void, url: string, json: string): { url: string; json: string };
  reader(this: void, told: (words: string) => void): EventReader;
}

/** Creates a model of a library. The library can make calls only with this fetch, and never sees a key. */
export type MakeModel = (place: { baseURL: string; model: string; fetch: typeof fetch }) => LanguageModelV4;

/** Takes the place of a key. Without it, the libraries would read a key from the environment. */
const apiKey = "not given to the library";

/** Each library takes some MiB and some tenths of a second, so it is loaded at its first call. */
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

/**
 * The libraries ask for answers in one piece. They always get them in one piece, so errors and retries do not depend on
 * streaming.
 */
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
