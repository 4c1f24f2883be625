import type { ServerLimits } from "./model-server.ts";

/**
 * The limit for all attempts of a call, in ms. The caller of an action that waits for a model needs a slightly longer
 * limit.
 */
export const CHAT_MS = 150_000;
export const EMBED_MS = 60_000;

const LIMITS = { concurrency: 8, maxQueue: 1_000, maxTries: 4, maxAnswerBytes: 32 * 1_048_576, backoffMs: 500 };
export const CHAT_LIMITS: ServerLimits = {
  ...{ ...LIMITS, maxAnswerBytes: 4 * 1_048_576 },
  ...{ tryMs: CHAT_MS, totalMs: CHAT_MS },
};
export const EMBED_LIMITS: ServerLimits = { ...LIMITS, tryMs: 20_000, totalMs: EMBED_MS };
