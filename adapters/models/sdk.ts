import type { LanguageModelV4 } from "@ai-sdk/provider";

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
