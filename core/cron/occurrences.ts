import { type Cron, CronError, parseCron } from "./parse.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Within 40 years 29 February falls on every weekday, even across a century without a leap year. */
const MAX_MONTHS = 41 * 12;

const fitsDay = ({ days, weekdays, bothDays }: Cron, day: number, weekday: number): boolean =>
  bothDays ? days.has(day) && weekdays.has(weekday) : days.has(day) || weekdays.has(weekday);

/** The first due minute of a day at or after `from`, in minutes since midnight; null when the day has none. */
function firstOfDay({ hours, minutes }: Cron, from: number): number | null {
  for (const hour of hours) {
    if (hour * 60 + 59 < from) continue;
    for (const minute of minutes) if (hour * 60 + minute >= from) return hour * 60 + minute;
  }
  return null;
}

function lastOfDay({ hours, minutes }: Cron, until: number): number | null {
  for (const hour of hours.toReversed()) {
    if (hour * 60 > until) continue;
    for (const minute of minutes.toReversed()) if (hour * 60 + minute <= until) return hour * 60 + minute;
  }
  return null;
}

/**
 * The nearest occurrence at or after (`step` 1), or at or before (`step` -1) a whole minute of UTC, in ms since 1970.
 * Walks day by day and skips months that do not fit. Returns null without an occurrence within 41 years.
 */
function search(cron: Cron, minute: number, step: 1 | -1): number | null {
  let day = Math.floor(minute / DAY_MS) * DAY_MS;
  const within = (minute - day) / MINUTE_MS;
  let limit = within;
  let months = 0;
  for (let date = new Date(day); months <= MAX_MONTHS; date = new Date(day)) {
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    if (!cron.months.has(month + 1)) {
      // The first day of the next month, or the last one of the month before.
      day = step > 0 ? Date.UTC(year, month + 1, 1) : Date.UTC(year, month, 0);
      limit = step > 0 ? 0 : Infinity;
      months++;
      continue;
    }
    if (fitsDay(cron, date.getUTCDate(), date.getUTCDay())) {
      const found = step > 0 ? firstOfDay(cron, limit) : lastOfDay(cron, limit);
      if (found !== null) return day + found * MINUTE_MS;
    }
    day += step * DAY_MS;
    limit = step > 0 ? 0 : Infinity;
    if (new Date(day).getUTCMonth() !== month) months++;
  }
  return null;
}

/** The next due minute after `ms`. Both are in ms since 1970 (UTC). */
export function nextAfter(cron: Cron, ms: number): number | null {
  return search(cron, (Math.floor(ms / MINUTE_MS) + 1) * MINUTE_MS, 1);
}

/** The latest due minute at or before `ms`. */
export function latestBy(cron: Cron, ms: number): number | null {
  return search(cron, Math.floor(ms / MINUTE_MS) * MINUTE_MS, -1);
}

/**
 * Reads an expression that fits at least one minute.
 * @throws {CronError} when the expression is invalid or never due
 */
export function readCron(text: string): Cron {
  const cron = parseCron(text);
  // The start of the search does not matter for whether any minute fits.
  if (nextAfter(cron, 0) === null) throw new CronError("No date ever fits this cron expression.");
  return cron;
}
