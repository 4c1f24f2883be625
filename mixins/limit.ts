import type { Collection, Doc, Filter } from "../adapters/store/port.ts";
import { config, type LimitName, LIMITS } from "../config.ts";
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
  throw limitReached(max, what);
}

const limitReached = (max: number, what: string) =>
  new AppError("limit_reached", { detail: `The limit is ${max} ${what}.` });

/** What a count had left is given out without another one: a hundredth of the limit, and for so long. */
const SHARE = 1 / 100;
const FRESH_MS = 10_000;
const MAX_COUNTED = 10_000;

const counted = new Map<string, { left: number; until: number }>();

/**
 * Refuses `wanted` more where that would be more than LIMITS say; `scope` is the id of what they are counted in. It counts
 * only now and then, so that what comes by the thousand is not counted a thousand times: a node may go beyond the limit by a
 * hundredth of it.
 * @throws AppError limit_reached
 */
export async function ensureLimit<T extends Doc>(
  name: LimitName,
  scope: string,
  docs: Collection<T>,
  filter: Filter<T>,
  wanted = 1,
): Promise<void> {
  const key = `${name} ${scope}`;
  const now = performance.now();
  const known = counted.get(key);
  if (known && known.left >= wanted && now < known.until) {
    known.left -= wanted;
    return;
  }
  const max = config().LIMITS[name];
  const left = max - wanted - (max > 0 ? await docs.count(filter, { limit: max }) : 0);
  if (left < 0) throw limitReached(max, LIMITS[name].what);
  if (counted.size >= MAX_COUNTED) counted.clear();
  counted.set(key, { left: Math.min(left, Math.floor(max * SHARE)), until: now + FRESH_MS });
}
