import type { Collection, Doc, Filter } from "../adapters/store/port.ts";
import { config, type LimitName, LIMITS } from "../config.ts";
import { AppError } from "../contracts/errors.ts";

/**
 * Refuses a further document if `max` already match. Concurrent inserts may each take the last place. The limit bounds
 * what is stored and scanned, and need not be exact.
 * @throws {AppError} limit_reached when there is no room
 */
export async function ensureRoom<T extends Doc>(
  docs: Collection<T>,
  filter: Filter<T>,
  max: number,
  what: string,
): Promise<void> {
  if ((await docs.count(filter, { limit: max })) < max) return;
  throw limitReached(max, what);
}

const limitReached = (max: number, what: string) =>
  new AppError("limit_reached", { detail: `The limit is ${max} ${what}.` });

/** After a count, this share of the limit may be used for FRESH_MS without another count. */
const SHARE = 1 / 100;
const FRESH_MS = 10_000;
const MAX_REMEMBERED = 10_000;

const counted = new Map<string, { left: number; until: number }>();

/**
 * Refuses `wanted` further documents if they would exceed the limit in LIMITS. `scope` is the id of the object that the
 * limit applies to. `max` replaces the limit if operators set another one for it. It counts only from time to time, so
 * that thousands of inserts do not each count. A node may therefore exceed the limit by one percent.
 * @returns the number of documents including the wanted ones, if it counted
 * @throws {AppError} limit_reached when there is no room
 */
export async function ensureLimit<T extends Doc>(
  name: LimitName,
  scope: string,
  docs: Collection<T>,
  filter: Filter<T>,
  wanted = 1,
  max = config().LIMITS[name],
): Promise<number | undefined> {
  const key = `${name} ${scope} ${max}`;
  const now = performance.now();
  const known = counted.get(key);
  if (known && known.left >= wanted && now < known.until) {
    known.left -= wanted;
    return undefined;
  }
  const left = max - wanted - (max > 0 ? await docs.count(filter, { limit: max }) : 0);
  if (left < 0) throw limitReached(max, LIMITS[name].what);
  if (counted.size >= MAX_REMEMBERED) counted.clear();
  counted.set(key, { left: Math.min(left, Math.floor(max * SHARE)), until: now + FRESH_MS });
  return max - left;
}

/** Counting stops here, because a count reads each document. */
const MAX_COUNTED = 100_000;

/** The number of documents that count for a limit, up to a hundred thousand. */
export const usedOf = <T extends Doc>(docs: Collection<T>, filter: Filter<T> = {}): Promise<number> =>
  docs.count(filter, { limit: MAX_COUNTED });

/** The number in the fullest space, because the limit applies to each space. */
export async function usedOfFullestSpace<T extends Doc & { spaceId: string }>(docs: Collection<T>): Promise<number> {
  return Math.max(0, ...Object.values(await docs.tally({}, "spaceId")));
}
