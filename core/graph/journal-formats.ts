/** The journal format from which on workers know of signals. */
export const NEEDS_SIGNALS = 3;
/** The journal format from which on workers know of the rounds of loops. */
export const NEEDS_LOOPS = 4;
