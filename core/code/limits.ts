/** Bounds of a `code` step. Sizes are characters, as in expressions. */
export const MAX_CODE_LENGTH = 65_536;
/** JSON of all that the code is given. */
export const MAX_GLOBALS_LENGTH = 4 * 1024 * 1024;
/** JSON of what it returns: a little more than any step may give, so that the step's own limit says what is too large. */
export const MAX_OUTPUT_LENGTH = 300_000;
export const MAX_LOG_LINES = 100;
export const MAX_LOG_LENGTH = 2_000;
/** All that the code holds at one time. */
export const MEMORY_MIB = 64;
