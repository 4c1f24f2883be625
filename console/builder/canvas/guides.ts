import { GRID, type Box } from "./geometry.ts";

/** A line on the canvas along which steps are aligned. */
export interface Guide {
  /** `y` aligns the middles of steps side by side. `x` aligns the left edges of steps above each other. */
  along: "x" | "y";
  at: number;
  from: number;
  to: number;
}

const middle = ({ y, height }: Box) => y + height / 2;
const same = (a: number, b: number) => Math.abs(a - b) < 0.5;
/** How far a line extends beyond the steps. */
const BEYOND = 2 * GRID;

/** The lines along which a step is aligned with others. */
export function guidesOf(box: Box, others: readonly Box[]): Guide[] {
  const beside = others.filter(other => same(middle(other), middle(box)));
  const above = others.filter(other => same(other.x, box.x));
  const guides: Guide[] = [];
  if (beside.length > 0) {
    const all = [box, ...beside];
    const [from, to] = [Math.min(...all.map(({ x }) => x)), Math.max(...all.map(({ x, width }) => x + width))];
    guides.push({ along: "y", at: middle(box), from: from - BEYOND, to: to + BEYOND });
  }
  if (above.length > 0) {
    const all = [box, ...above];
    const [from, to] = [Math.min(...all.map(({ y }) => y)), Math.max(...all.map(({ y, height }) => y + height))];
    guides.push({ along: "x", at: box.x, from: from - BEYOND, to: to + BEYOND });
  }
  return guides;
}
