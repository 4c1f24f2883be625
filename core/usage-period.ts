/** The month of a time, in UTC: `2026-11`. */
export const monthOf = (now: Date): string => now.toISOString().slice(0, 7);

/** When the next day or month begins, in UTC. */
export function renewal(period: "day" | "month", now: Date): Date {
  const [year, month, date] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return new Date(period === "day" ? Date.UTC(year, month, date + 1) : Date.UTC(year, month + 1));
}

/** The shares of a quota, in percent, at which owners are notified. */
export const NOTICE_PERCENTS = [80, 100] as const;

/** The highest mark that `used` of `allowed` has reached, if any. A quota of 0 has no marks. */
export const noticePercentOf = (used: number, allowed: number): (typeof NOTICE_PERCENTS)[number] | undefined =>
  allowed === 0 ? undefined : NOTICE_PERCENTS.findLast(mark => used * 100 >= allowed * mark);
