const KIB = 1024;
const MIB = 1024 * KIB;

/** Of one answer or one event, decoded. A page of tools is the largest that is of use. */
export const MAX_ANSWER_BYTES = 4 * MIB;
/** Of an event stream from its opening to its end. */
export const MAX_STREAM_BYTES = 64 * MIB;
/** Of what a tool gives back: it goes into the journal of the run. */
export const MAX_RESULT_BYTES = MIB;
export const MAX_RESULT_DEPTH = 100;

export const MAX_TOOLS = 1_000;
export const MAX_PAGES = 100;
/** Of all definitions of a server together. */
export const MAX_LISTING_CHARS = 8 * MIB;
/** Reasons that are kept; a server of ten thousand bad tools is told of by some of them. */
export const MAX_DROPPED = 200;
/** As the specification says (server/tools, "Tool Names"). */
export const MAX_TOOL_NAME = 128;
export const MAX_TITLE = 200;
export const MAX_DESCRIPTION = 4_000;
export const MAX_SCHEMA_CHARS = 64 * KIB;
export const MAX_SCHEMA_DEPTH = 32;

/** The longest call; also what ends a forgotten stream. */
export const MAX_CALL_MS = 3_600_000;
/** For opening a session, from the first connection to the agreed version. */
export const CONNECT_MS = 30_000;
/** For one request of which no answer is awaited, or that is about tokens. */
export const REQUEST_MS = 10_000;
/** For all that a renewal of tokens takes. */
export const RENEWAL_MS = 30_000;
/** For saying farewell to a server. */
export const CLOSE_MS = 2_000;
/** After its answer, a stream may end by itself for so long. */
export const STREAM_END_MS = 1_000;
