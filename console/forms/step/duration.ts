/** The units for durations, shortest first. */
export const UNITS = [
  { name: "ms", ms: 1 },
  { name: "s", ms: 1_000 },
  { name: "min", ms: 60_000 },
  { name: "h", ms: 3_600_000 },
  { name: "d", ms: 86_400_000 },
] as const;
export type Unit = (typeof UNITS)[number]["name"];

export const msOf = (unit: Unit): number => UNITS.find(({ name }) => name === unit)!.ms;

/** The largest unit in which a duration is a whole number. */
export const unitOf = (ms: number): Unit => UNITS.findLast(unit => ms !== 0 && ms % unit.ms === 0)?.name ?? "ms";
