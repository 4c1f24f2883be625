/** Whether a write was refused because a unique index already holds its values. */
export const isUniqueConflict = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === "unique_conflict";

/** Whether an update in a `write` that had to match found nothing. */
export const isNotMatched = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === "not_matched";
