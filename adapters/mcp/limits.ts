const KIB = 1024;
const MIB = 1024 * KIB;

/** The limit of one decoded answer or event. The largest useful one is a page of tools. */
export const MAX_ANSWER_BYTES = 4 * MIB;
/** The limit of an event stream, from its opening to its end. */
export const MAX_STREAM_BYTES = 64 * MIB;
/** The limit of a tool's result, because it goes into the journal of the run. */
export const MAX_RESULT_BYTES = MIB;
export const MAX_RESULT_DEPTH = 100;

export const MAX_TOOLS = 1_000;
export const MAX_PAGES = 100;
/** The limit of all definitions of a server together. */
export const MAX_LISTING_CHARS = 8 * MIB;
/** The most reasons that are kept. Some are enough to describe a server with ten thousand unusable tools. */
export const MAX_DROPPED = 200;
/** From the specification (server/tools, "Tool Names"). */
export const MAX_TOOL_NAME = 128;
export const MAX_TITLE = 200;
export const MAX_DESCRIPTION = 4_000;
export const MAX_SCHEMA_CHARS = 64 * KIB;
export const MAX_SCHEMA_DEPTH = 32;

/** The longest call. The same limit ends a forgotten stream. */
export const MAX_CALL_MS = 3_600_000;
/** The limit for opening a session, from the first connection to the agreed version. */
export const CONNECT_MS = 30_000;
/** The limit of a request whose answer is not awaited, and of a request for tokens. */
export const REQUEST_MS = 10_000;
/** The limit for a whole renewal of tokens. */
export const RENEWAL_MS = 30_000;
/** The limit for saying goodbye to a server. */
export const CLOSE_MS = 2_000;
/** How long a stream may stay open after its answer. */
export const STREAM_END_MS = 1_000;

/**
 * Whether a JSON value is nested at most `max` deep. A scalar has depth 0. It uses no recursion, so any depth is safe.
 */
export function isWithinDepth(value: unknown, max: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    const inner = level.filter(item => typeof item === "object" && item !== null);
    if (inner.length > 0 && depth >= max) return false;
    level = inner.flatMap((item): unknown[] => Object.values(item));
  }
  return true;
}
