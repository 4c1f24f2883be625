export const DAY_MS = 86_400_000;

/** The UTC day of a moment, as YYYY-MM-DD. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** The first moment of a day. */
export const startOf = (day: string): Date => new Date(`${day}T00:00:00.000Z`);

/** Every UTC day that overlaps [from, to), in order. */
export function daysIn(from: Date, to: Date): string[] {
  const days: string[] = [];
  const first = Math.floor(from.getTime() / DAY_MS) * DAY_MS;
  for (let time = first; time < to.getTime(); time += DAY_MS) days.push(dayOf(new Date(time)));
  return days;
}
