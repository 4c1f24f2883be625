const DUPLICATE_KEY = 11000;

/** Whether MongoDB says that there is such a document already. */
export const isTaken = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === DUPLICATE_KEY;
