/** A cron expression, each field as the set of its values. */
export interface Cron {
  minutes: number[];
  hours: number[];
  days: ReadonlySet<number>;
  months: ReadonlySet<number>;
  /** Days of the week, where 0 is Sunday. */
  weekdays: ReadonlySet<number>;
  /** A day must match the days of both fields. When neither field holds a `*`, one match is enough. */
  bothDays: boolean;
}

interface Field {
  name: string;
  min: number;
  max: number;
  names?: readonly string[];
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const FIELDS = [
  { name: "minute", min: 0, max: 59 },
  { name: "hour", min: 0, max: 23 },
  { name: "day of month", min: 1, max: 31 },
  { name: "month", min: 1, max: 12, names: MONTHS },
  { name: "day of week", min: 0, max: 7, names: WEEKDAYS },
] as const satisfies Field[];
const SUNDAY_TOO = 7;

/** An expression that lists every value of each field is shorter. */
export const MAX_CRON_CHARS = 512;

/** Describes the fault of an expression as a sentence. */
export class CronError extends Error {
  override readonly name = "CronError";
}

function numberOf(text: string, { name, min, max, names = [] }: Field): number {
  const named = names.indexOf(text.toLowerCase());
  // Months count from 1, days of the week from 0: the index of a name is its number minus the field's minimum.
  const value = named >= 0 ? named + min : /^\d{1,2}$/.test(text) ? Number(text) : NaN;
  if (Number.isNaN(value)) throw new CronError(`The ${name} field does not accept "${text}".`);
  if (value < min || value > max)
    throw new CronError(`The ${name} field is out of range: ${value}. Allowed: ${min} to ${max}.`);
  return value;
}

function rangeOf(text: string, field: Field): [number, number] {
  if (text === "*") return [field.min, field.max];
  const [from = "", to, ...more] = text.split("-");
  if (more.length > 0) throw new CronError(`In the ${field.name} field, "${text}" is not a range.`);
  const first = numberOf(from, field);
  if (to === undefined) return [first, first];
  const end = numberOf(to, field);
  const last = end === 0 && first > 0 && field.max === SUNDAY_TOO ? SUNDAY_TOO : end;
  if (last < first) throw new CronError(`In the ${field.name} field, the range "${text}" ends before it begins.`);
  return [first, last];
}

function partValues(part: string, field: Field): number[] {
  const [range = "", step, ...more] = part.split("/");
  const every = step === undefined ? 1 : /^\d{1,2}$/.test(step) ? Number(step) : 0;
  if (more.length > 0 || every < 1 || every > field.max)
    throw new CronError(`In the ${field.name} field, "${part}" has no step from 1 to ${field.max}.`);
  if (step !== undefined && range !== "*" && !range.includes("-"))
    throw new CronError(`In the ${field.name} field, "${part}" needs a range or * before its step.`);
  const [first, last] = rangeOf(range, field);
  const values: number[] = [];
  for (let value = first; value <= last; value += every) values.push(value);
  return values;
}

/**
 * Reads the five fields minute, hour, day of month, month, day of week as crontab(5) has them: `*`, numbers, ranges,
 * lists, steps, and names of months and days.
 * @throws {CronError} when a field is invalid
 */
export function parseCron(text: string): Cron {
  if (text.length > MAX_CRON_CHARS) throw new CronError(`A cron expression has at most ${MAX_CRON_CHARS} characters.`);
  const fields = text.trim().split(/[ \t]+/);
  if (fields.length !== FIELDS.length || fields[0] === "") {
    const count = fields[0] === "" ? 0 : fields.length;
    throw new CronError(
      `A cron expression has exactly five fields (minute, hour, day of month, month, day of week), this one has ${count}.`,
    );
  }
  const values = FIELDS.map((field, i) => {
    const all = (fields[i] ?? "").split(",").flatMap(part => partValues(part, field));
    const known = field.name === "day of week" ? all.map(day => day % SUNDAY_TOO) : all;
    return [...new Set(known)].sort((a, b) => a - b);
  });
  const [minutes = [], hours = [], days = [], months = [], weekdays = []] = values;
  const bothDays = [fields[2], fields[4]].some(field => field?.includes("*"));
  return { minutes, hours, days: new Set(days), months: new Set(months), weekdays: new Set(weekdays), bothDays };
}
