/** A period in milliseconds. */
export interface Span {
  from: number;
  to: number;
}

/** A part of the scale. Its width is proportional to its duration, unless it is an idle period of fixed width. */
export interface Segment extends Span {
  folded: boolean;
  /** From 0 to 1. */
  left: number;
  width: number;
}

export interface TimeScale {
  segments: Segment[];
  /** The position of a time on the scale, from 0 to 1. */
  at(ms: number): number;
  /** The time at a position of the scale. */
  timeAt(place: number): number;
}

/** The largest share of the scale for one folded period, and for all of them together. */
const FOLDED = 0.24;
const ALL_FOLDED = 0.36;
/** A pause is folded if it is this much longer than all the work around it. */
const MIN_SHARE = 0.3;
const MAX_FOLDS = 12;

/** Merges periods that touch or overlap. */
export function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else result.push({ ...span });
  }
  return result;
}

/**
 * Builds a scale on which both days of waiting and milliseconds of work are readable, by folding long pauses.
 * @param whole the period that the scale shows
 * @param work the periods in which something ran
 */
export function timeScale(whole: Span, work: readonly Span[]): TimeScale {
  const length = Math.max(1, whole.to - whole.from);
  const busy = joined(work.filter(({ from, to }) => to >= whole.from && from <= whole.to));
  const busyMs = busy.reduce((sum, { from, to }) => sum + to - from, 0);
  const pauses: Span[] = [];
  let end = whole.from;
  for (const { from, to } of [...busy, { from: whole.to, to: whole.to }]) {
    if (from > end) pauses.push({ from: end, to: from });
    end = Math.max(end, to);
  }
  const paused = pauses.reduce((sum, { from, to }) => sum + to - from, 0);
  // Without work there is nothing to make space for.
  const folds = (paused < length ? pauses : [])
    .filter(({ from, to }) => to - from > Math.max(1_000, busyMs * MIN_SHARE))
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, MAX_FOLDS)
    .toSorted((a, b) => a.from - b.from);
  const kept = length - folds.reduce((sum, { from, to }) => sum + to - from, 0);
  const each = Math.min(FOLDED, ALL_FOLDED / folds.length);
  const room = 1 - folds.length * each;
  const segments: Segment[] = [];
  let left = 0;
  let at = whole.from;
  const push = (to: number, folded: boolean) => {
    if (to <= at) return;
    const width = folded ? each : ((to - at) / kept) * room;
    segments.push({ from: at, to, folded, left, width });
    left += width;
    at = to;
  };
  for (const fold of folds) {
    push(fold.from, false);
    push(fold.to, true);
  }
  push(whole.from + length, false);
  return {
    segments,
    at(ms) {
      const inside = segments.find(({ to }) => ms <= to) ?? segments.at(-1);
      if (!inside) return 0;
      const share = (Math.min(Math.max(ms, inside.from), inside.to) - inside.from) / (inside.to - inside.from || 1);
      return inside.left + share * inside.width;
    },
    timeAt(place) {
      const inside = segments.find(({ left: start, width }) => place <= start + width) ?? segments.at(-1);
      if (!inside) return whole.from;
      const share = Math.min(1, Math.max(0, (place - inside.left) / (inside.width || 1)));
      return inside.from + share * (inside.to - inside.from);
    },
  };
}
