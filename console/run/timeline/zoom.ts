import type { Span } from "../fold/timescale.ts";

/** The shortest stretch that is shown, in milliseconds. */
const SHORTEST_MS = 2;

/** The stretch of a run that an address names, as `120-4500`: milliseconds after its start. Undefined for all of it. */
export function spanFromText(text: string | undefined, start: number): Span | undefined {
  const [, from, to] = /^(\d{1,13})-(\d{1,13})$/.exec(text ?? "") ?? [];
  const span = { from: start + Number(from), to: start + Number(to) };
  return span.to - span.from >= SHORTEST_MS ? span : undefined;
}

/** The text for the address. Undefined where the stretch is the whole run. */
export function spanText({ from, to }: Span, whole: Span): string | undefined {
  const begin = Math.max(0, Math.floor(from - whole.from));
  const end = Math.max(begin + SHORTEST_MS, Math.ceil(to - whole.from));
  return begin === 0 && end >= whole.to - whole.from ? undefined : `${begin}-${end}`;
}

/** The same length elsewhere: as far as the whole goes. */
export function moved(span: Span, by: number, whole: Span): Span {
  const shift = Math.min(Math.max(by, whole.from - span.from), Math.max(0, whole.to - span.to));
  return { from: span.from + shift, to: span.to + shift };
}

/** A stretch that is `times` as long, around the same middle, inside the whole. */
export function scaled({ from, to }: Span, times: number, whole: Span): Span {
  const half = Math.max(SHORTEST_MS, (to - from) * times) / 2;
  const middle = (from + to) / 2;
  return { from: Math.max(whole.from, middle - half), to: Math.min(whole.to, middle + half) };
}
