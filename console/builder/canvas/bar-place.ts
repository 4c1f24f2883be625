import { type Box, HEADER } from "./geometry.ts";

/** The height of the bar with its distance, and the least width of it, in pixels of the screen. */
const BAR = { width: 200, height: 48 };

const meets = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** The side of the selected steps on which their bar covers no other step: above, unless only the room below is free. */
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
  // Of a container, its header must stay in sight.
  const others = [...boxes]
    .filter(([id]) => !selected.has(id) && frameOf(id) !== "ground")
    .map(([id, box]) => (frameOf(id) === "container" ? { ...box, height: Math.min(box.height, HEADER) } : box));
  const isFree = (y: number) => !others.some(box => meets({ x, y, width, height }, box));
  return isFree(top - height) || !isFree(bottom) ? "above" : "below";
}
