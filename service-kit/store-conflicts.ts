/** Whether a write was refused because a unique index already holds its values. */
export const isUniqueConflict = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === "unique_conflict";

/** Whether an update of a `write` that requires a match found none. */
export const isNotMatched = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === "not_matched";

/** The positions that an `insertMany` refused for a unique index, or null for other errors. */
export const refusedPlaces = (error: unknown): number[] | null =>
  isUniqueConflict(error) ? (error as { indexes: number[] }).indexes : null;
