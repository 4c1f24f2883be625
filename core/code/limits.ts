/** Bounds of a `code` step. Sizes are characters, as in expressions. */
export const MAX_CODE_LENGTH = 65_536;
/** The bound of the JSON that the code is given. */
export const MAX_GLOBALS_LENGTH = 4 * 1024 * 1024;
/**
 * The bound of the JSON that the code returns. It is slightly above the limit of a step's output, so that the step
 * reports what is too large.
 */
export const MAX_OUTPUT_LENGTH = 300_000;
export const MAX_LOG_LINES = 100;
export const MAX_LOG_LENGTH = 2_000;
/** The memory that the code may use at one time. */
export const MEMORY_MIB = 64;
