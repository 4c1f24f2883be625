import type { Segment, TimeScale } from "../fold/timescale.ts";

/** The least distance between two ticks as a share of the ruler, so that labels do not touch. */
const APART = 0.2;
/** The same on a phone, where the ruler is short. */
export const APART_ON_PHONE = 0.4;
/** A narrower tick has no space for its label. */
const LEGIBLE = 0.08;

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];
/** The possible distances between ticks, in milliseconds. */
const STEPS: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map(count => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map(count => count * MINUTE),
  ...[1, 2, 3, 6, 12].map(count => count * HOUR),
  ...[1, 2, 5, 10, 20, 50, 100].map(count => count * DAY),
];

/** A tick of the ruler and the space up to the next one. Times are in milliseconds, positions from 0 to 1. */
export interface Tick {
  from: number;
  to: number;
  left: number;
  width: number;
  folded: boolean;
  /** Its label. Empty if there is no space for it. */
  text: string;
}

type TextOf = (sinceStart: number) => string;

function timesIn({ from, to, width, folded }: Segment, start: number, textOf: TextOf, apart: number): number[] {
  const count = Math.floor(width / apart);
  const step = STEPS.find(one => one >= (to - from) / count);
  if (folded || count < 2 || step === undefined) return [from];
  const times = [from];
  // A round time just after the beginning would overlap with the first label.
  const first = start + Math.ceil((from - start + step / 2) / step) * step;
  for (let at = first; at < to; at += step) times.push(at);
  // Long after the start, labels are coarser than the ticks, so equal ones are dropped.
  const texts = times.map(at => textOf(at - start));
  return times.filter((_, index) => index === 0 || texts[index] !== texts[index - 1]);
}

/** The ticks of a scale: the beginning of each segment, and round times after `start` within it. */
export function ticksOf(
  { segments, at }: Pick<TimeScale, "segments" | "at">,
  start: number,
  textOf: TextOf,
  apart = APART,
): Tick[] {
  return segments.flatMap(segment => {
    const times = timesIn(segment, start, textOf, apart);
    return times.map((from, index) => {
      const to = times[index + 1] ?? segment.to;
      const left = index === 0 ? segment.left : at(from);
      const end = index + 1 < times.length ? at(to) : segment.left + segment.width;
      const width = end - left;
      const text = segment.folded || width < LEGIBLE ? "" : textOf(from - start);
      return { from, to, left, width, folded: segment.folded, text };
    });
  });
}
