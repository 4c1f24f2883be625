import { type Box, HEADER } from "./geometry.ts";

/** The minimum width of the bar, and its height with the gap below it, in screen pixels. */
const BAR = { width: 200, height: 48 };

const meets = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/**
 * The side of the selected steps on which their bar covers no other step. It is above, unless only the space below is
 * free.
 */
export function freeSide(
  boxes: ReadonlyMap<string, Box>,
  selected: ReadonlySet<string>,
  frameOf: (id: string) => "container" | "ground" | undefined,
  zoom: number,
): "above" | "below" {
  const own = [...selected].flatMap(id => boxes.get(id) ?? []);
  if (own.length === 0) return "above";
  const [left, right] = [Math.min(...own.map(({ x }) => x)), Math.max(...own.map(({ x, width }) => x + width))];
  const [top, bottom] = [Math.min(...own.map(({ y }) => y)), Math.max(...own.map(({ y, height }) => y + height))];
  const [width, height] = [Math.max(right - left, BAR.width / zoom), BAR.height / zoom];
  const x = (left + right - width) / 2;
  // The header of a container must stay visible.
  const others = [...boxes]
    .filter(([id]) => !selected.has(id) && frameOf(id) !== "ground")
    .map(([id, box]) => (frameOf(id) === "container" ? { ...box, height: Math.min(box.height, HEADER) } : box));
  const isFree = (y: number) => !others.some(box => meets({ x, y, width, height }, box));
  return isFree(top - height) || !isFree(bottom) ? "above" : "below";
}
