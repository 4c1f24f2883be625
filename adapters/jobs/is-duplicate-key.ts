const DUPLICATE_KEY = 11000;

/** Whether an error of MongoDB means that the document already exists. */
export const isDuplicateKey = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === DUPLICATE_KEY;
