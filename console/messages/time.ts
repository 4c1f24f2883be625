const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "narrow" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });

/**
 * Formats a time relative to now, or as a date if it is more than six days away. A time to come has two units, as people
 * plan by it: `in 2 d 23 h`.
 */
export function relativeTime(at: number, now: number): string {
  const ms = at - now;
  const distance = Math.abs(ms);
  if (distance < 10 * SECOND) return "now";
  if (ms > 0 && ms < 6 * DAY) return `in ${durationText(ms - (ms < MINUTE ? 0 : ms % MINUTE))}`;
  if (distance < MINUTE) return relative.format(Math.trunc(ms / SECOND), "second");
  if (distance < HOUR) return relative.format(Math.trunc(ms / MINUTE), "minute");
  if (distance < DAY) return relative.format(Math.trunc(ms / HOUR), "hour");
  if (distance < 6 * DAY) return relative.format(Math.trunc(ms / DAY), "day");
  return (new Date(at).getFullYear() === new Date(now).getFullYear() ? day : dayOfYear).format(at);
}

export const fullTime = (at: string): string => full.format(Date.parse(at));

/** Formats a duration in at most two units: `350 ms`, `4.2 s`, `3 min 5 s`, `2 d 4 h`. */
export function durationText(ms: number): string {
  const given = Math.max(0, ms);
  if (given < SECOND) return `${Math.round(given)} ms`;
  if (given < 10 * SECOND) return `${(given / SECOND).toFixed(1)} s`;
  if (given < MINUTE) return `${Math.floor(given / SECOND)} s`;
  const two = (big: number, bigName: string, small: number, smallName: string) => {
    const rest = Math.floor((given % big) / small);
    return `${Math.floor(given / big)} ${bigName}${rest > 0 ? ` ${rest} ${smallName}` : ""}`;
  };
  if (given < HOUR) return two(MINUTE, "min", SECOND, "s");
  if (given < DAY) return two(HOUR, "h", MINUTE, "min");
  return two(DAY, "d", HOUR, "h");
}

const shortClock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const longClock = new Intl.DateTimeFormat(undefined, {
  ...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
  fractionalSecondDigits: 3,
  hourCycle: "h23",
});
const minuteOfDay = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** Formats the time of day, such as `14:02`. */
export const hourAndMinute = (at: number): string => shortClock.format(at);

/** Formats the time of day with milliseconds. */
export const exactClock = (at: string): string => longClock.format(Date.parse(at));

/** Formats a day with the time of day. */
export const dayAndTime = (at: number): string => minuteOfDay.format(at);

const utcDay = new Intl.DateTimeFormat(undefined, {
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/** Formats a day that is given as `2026-11-22`, in UTC. */
export function dayText(day: string): string {
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isFinite(at) ? utcDay.format(at) : day;
}
