/** The first journal format with signals. */
export const NEEDS_SIGNALS = 3;
/** The first journal format with rounds of loops. */
export const NEEDS_LOOPS = 4;
/** The first journal format with compensations. */
export const NEEDS_COMPENSATIONS = 5;
/** The first journal format with runs that undo their steps because they were cancelled. */
export const NEEDS_UNDONE_CANCELS = 6;
/** The first journal format with compensations inside maps and loops. */
export const NEEDS_INNER_COMPENSATIONS = 7;
