/** The journal format from which on workers know of signals. */
export const NEEDS_SIGNALS = 3;
/** The journal format from which on workers know of the rounds of loops. */
export const NEEDS_LOOPS = 4;
/** The journal format from which on workers know of compensations. */
export const NEEDS_COMPENSATIONS = 5;
/** The journal format from which on workers know of runs that undo what they have done because they were cancelled. */
export const NEEDS_UNDONE_CANCELS = 6;
/** The journal format from which on workers know of compensations inside maps and loops. */
export const NEEDS_INNER_COMPENSATIONS = 7;
