/** How often a schedule runs, as the form offers it. `custom` is any cron expression. */
export const RHYTHMS = ["minutes", "hours", "days", "weekdays", "weeks", "months", "custom"] as const;
export type Rhythm = (typeof RHYTHMS)[number];

/** The form for a cron expression. `time` is `HH:MM`, `weekday` is 0 for Sunday, and `day` is a day of the month. */
export interface CronForm {
  rhythm: Rhythm;
  every: number;
  time: string;
  weekday: number;
  day: number;
  text: string;
}

export const EMPTY: CronForm = { rhythm: "days", every: 15, time: "09:00", weekday: 1, day: 1, text: "0 9 * * *" };
/** Intervals in minutes that divide an hour evenly. */
export const EVERY_MINUTES = [5, 10, 15, 20, 30] as const;

const timeOf = (hour: string, minute: string) => `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;

/** The cron expression for the form. */
export function cronOf({ rhythm, every, time, weekday, day, text }: CronForm): string {
  const [hour = "0", minute = "0"] = time.split(":").map(part => String(Number(part)));
  switch (rhythm) {
    case "minutes":
      return `*/${every} * * * *`;
    case "hours":
      return `${minute} * * * *`;
    case "days":
      return `${minute} ${hour} * * *`;
    case "weekdays":
      return `${minute} ${hour} * * 1-5`;
    case "weeks":
      return `${minute} ${hour} * * ${weekday}`;
    case "months":
      return `${minute} ${hour} ${day} * *`;
    case "custom":
      return text;
  }
}

const PATTERNS: readonly [RegExp, Rhythm, (found: string[]) => Partial<CronForm>][] = [
  [/^\*\/(5|10|15|20|30) \* \* \* \*$/, "minutes", ([every = "15"]) => ({ every: Number(every) })],
  [/^(\d{1,2}) \* \* \* \*$/, "hours", ([minute = "0"]) => ({ time: timeOf("0", minute) })],
  [/^(\d{1,2}) (\d{1,2}) \* \* \*$/, "days", ([minute = "0", hour = "0"]) => ({ time: timeOf(hour, minute) })],
  [/^(\d{1,2}) (\d{1,2}) \* \* 1-5$/, "weekdays", ([minute = "0", hour = "0"]) => ({ time: timeOf(hour, minute) })],
  [
    /^(\d{1,2}) (\d{1,2}) \* \* ([0-6])$/,
    "weeks",
    ([minute = "0", hour = "0", weekday = "1"]) => ({ time: timeOf(hour, minute), weekday: Number(weekday) }),
  ],
  [
    /^(\d{1,2}) (\d{1,2}) (\d{1,2}) \* \*$/,
    "months",
    ([minute = "0", hour = "0", day = "1"]) => ({ time: timeOf(hour, minute), day: Number(day) }),
  ],
];

/** The form for a cron expression. An expression that the form cannot express is `custom`. */
export function formOf(text: string): CronForm {
  for (const [pattern, rhythm, read] of PATTERNS) {
    const found = pattern.exec(text.trim());
    if (found) return { ...EMPTY, text, rhythm, ...read(found.slice(1)) };
  }
  return { ...EMPTY, text, rhythm: "custom" };
}
