import type { Collection, Doc, Filter } from "../adapters/store/port.ts";
import { AppError } from "../contracts/errors.ts";

/**
 * Refuses one more where there are `max` matches. Those that are made at the same moment may each be the last one: it is a
 * bound on what has to be kept and gone through, not a number to rely on.
 * @throws AppError limit_reached
 */
export async function ensureRoom<T extends Doc>(
  docs: Collection<T>,
  filter: Filter<T>,
  max: number,
  what: string,
): Promise<void> {
  if ((await docs.count(filter, { limit: max })) < max) return;
  throw new AppError("limit_reached", { detail: `A workspace has up to ${max} ${what}.` });
}
