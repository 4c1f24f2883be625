const DUPLICATE_KEY = 11000;

/** Whether an error of MongoDB says that the document exists already. */
export const isTaken = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === DUPLICATE_KEY;
