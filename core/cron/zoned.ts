import { latestBy as latestInUtc, nextAfter as nextInUtc } from "./occurrences.ts";
import type { Cron } from "./parse.ts";
import type { TimeZone } from "./time-zone.ts";

const MINUTE_MS = 60_000;
const ALL_HOURS = 24;
/** Clocks are never set back by more. */
const LONGEST_REPEAT_MS = 3 * 3_600_000;
/**
 * Bounds the search: two due local times of a schedule have at most the minutes of a repeated stretch, twice, between
 * them.
 */
const MAX_STEPS = 2 * (LONGEST_REPEAT_MS / MINUTE_MS);

/**
 * The instants of a local time at which a schedule is due. If clocks skip the time, the schedule is due right after the
 * change. If clocks repeat it, the schedule is due once, unless it is due in every hour: then it is due in both passes.
 */
function dueAt(cron: Cron, zone: TimeZone, local: number): number[] {
  const instants = zone.instantsOf(local);
  if (instants.length === 0) return [zone.afterGap(local)];
  return cron.hours.length === ALL_HOURS ? instants : instants.slice(0, 1);
}

/** The first due instant after `ms` among local times from `local` on. */
function firstFrom(cron: Cron, zone: TimeZone, local: number, ms: number): number | null {
  let at: number | null = local;
  for (let step = 0; step < MAX_STEPS && at !== null; step++) {
    at = nextInUtc(cron, at);
    const found = at === null ? undefined : dueAt(cron, zone, at).find(instant => instant > ms);
    if (found !== undefined) return found;
  }
  return null;
}

/** The next due minute after `ms`, by the clocks of a time zone. Both are in ms since 1970 (UTC). */
export function nextAfter(cron: Cron, ms: number, zone: TimeZone | null): number | null {
  if (!zone) return nextInUtc(cron, ms);
  const next = firstFrom(cron, zone, ms + zone.offsetAt(ms), ms);
  const change = next === null ? null : zone.changeBetween(ms, Math.min(next, ms + LONGEST_REPEAT_MS));
  if (next === null || change === null || zone.offsetAt(change) > zone.offsetAt(change - 1)) return next;
  // Clocks are set back before `next`. After the change they show times again that are earlier than the current one.
  const repeated = firstFrom(cron, zone, change + zone.offsetAt(change) - MINUTE_MS, ms);
  return repeated === null ? next : Math.min(next, repeated);
}

/** The latest due minute at or before `ms`, by the clocks of a time zone. */
export function latestBy(cron: Cron, ms: number, zone: TimeZone | null): number | null {
  if (!zone) return latestInUtc(cron, ms);
  const now = ms + zone.offsetAt(ms);
  const earlier = ms + zone.offsetAt(ms - LONGEST_REPEAT_MS);
  let best: number | null = null;
  let at = latestInUtc(cron, Math.max(now, earlier));
  for (let step = 0; step < MAX_STEPS && at !== null; step++) {
    const found = dueAt(cron, zone, at).findLast(instant => instant <= ms);
    if (found !== undefined) best = Math.max(best ?? -Infinity, found);
    if (best !== null && at <= now) return best;
    at = latestInUtc(cron, at - MINUTE_MS);
  }
  return best;
}
