const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Offsets such as `+02:00` are not time zones: they know no summer time. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

/**
 * Converts between instants (ms since 1970, UTC) and local times of one time zone. Local times are ms too, as if they
 * were UTC.
 */
export interface TimeZone {
  /** The ms to add to an instant to get its local time. */
  offsetAt(instant: number): number;
  /**
   * The instants at which clocks show a local time, earliest first. There are two in the hour that clocks repeat, and
   * none in the hour that they skip.
   */
  instantsOf(local: number): number[];
  /** The first instant after the change of clocks that skips a local time. */
  afterGap(local: number): number;
  /** The last change of clocks after one instant, and at or before another one; null without a change. */
  changeBetween(after: number, until: number): number | null;
}

/** Bounds the cache. There are about 600 zone names, and each is accepted in any letter case. */
const MAX_ZONES = 1_000;
const zones = new Map<string, TimeZone>();

function offsetsOf(name: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  return instant => {
    const text = format.formatToParts(instant).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign, hours, minutes = "0", seconds = "0"] = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(text) ?? [];
    if (sign === undefined) return 0;
    const ms = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000;
    return sign === "-" ? -ms : ms;
  };
}

function makeZone(name: string): TimeZone {
  const offsetAt = offsetsOf(name);
  /** The first instant with the offset of `until`, which differs from that of `after`. */
  const firstAfter = (after: number, until: number) => {
    const wanted = offsetAt(until);
    let [low, high] = [after, until];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetAt(middle) === wanted) high = middle;
      else low = middle;
    }
    return high;
  };
  // Clocks never change twice within two days.
  const around = (local: number) => [local - DAY_MS, local + DAY_MS].map(instant => local - offsetAt(instant));
  const instantsOf = (local: number) => {
    const found = around(local).filter(instant => instant + offsetAt(instant) === local);
    return [...new Set(found)].sort((a, b) => a - b);
  };
  return {
    offsetAt,
    instantsOf,
    afterGap(local) {
      const [a = 0, b = 0] = around(local);
      return firstAfter(Math.min(a, b) - MINUTE_MS, Math.max(a, b) + MINUTE_MS);
    },
    changeBetween: (after, until) => (offsetAt(after) === offsetAt(until) ? null : firstAfter(after, until)),
  };
}

/** The time zone of an IANA name, such as `Europe/Berlin`; null when Node does not know it. */
export function timeZone(name: string): TimeZone | null {
  const known = zones.get(name);
  if (known) return known;
  if (!ZONE_NAME.test(name)) return null;
  try {
    const made = makeZone(name);
    if (zones.size >= MAX_ZONES) zones.clear();
    zones.set(name, made);
    return made;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
