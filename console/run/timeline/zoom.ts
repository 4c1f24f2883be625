import type { Span } from "../fold/timescale.ts";

/** The shortest visible period in milliseconds. */
const SHORTEST_MS = 2;

/**
 * Parses a period in the address, such as `120-4500`, in milliseconds after the start of the run. Undefined means the
 * whole run.
 */
export function spanFromText(text: string | undefined, start: number): Span | undefined {
  const [, from, to] = /^(\d{1,13})-(\d{1,13})$/.exec(text ?? "") ?? [];
  const span = { from: start + Number(from), to: start + Number(to) };
  return span.to - span.from >= SHORTEST_MS ? span : undefined;
}

/** The text of a period for the address. Undefined if it is the whole run. */
export function spanText({ from, to }: Span, whole: Span): string | undefined {
  const begin = Math.max(0, Math.floor(from - whole.from));
  const end = Math.max(begin + SHORTEST_MS, Math.ceil(to - whole.from));
  return begin === 0 && end >= whole.to - whole.from ? undefined : `${begin}-${end}`;
}

/** Moves a period without changing its length, within the whole. */
export function moved(span: Span, by: number, whole: Span): Span {
  const shift = Math.min(Math.max(by, whole.from - span.from), Math.max(0, whole.to - span.to));
  return { from: span.from + shift, to: span.to + shift };
}

/** Makes a period `times` as long around its middle, within the whole. */
export function scaled({ from, to }: Span, times: number, whole: Span): Span {
  const half = Math.max(SHORTEST_MS, (to - from) * times) / 2;
  const middle = (from + to) / 2;
  return { from: Math.max(whole.from, middle - half), to: Math.min(whole.to, middle + half) };
}
