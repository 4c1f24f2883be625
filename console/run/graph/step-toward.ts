import type { Graph } from "./definition.ts";
import type { Box } from "./sizes.ts";

export type Direction = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown" | "Home";

const KEYS: readonly string[] = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home"];
export const isDirection = (key: string): key is Direction => KEYS.includes(key);

const centre = (box: Box | undefined) => (box ? box.y + box.height / 2 : 0);

/** The step to which an arrow key leads: along edges to the left and right, and within a column up and down. */
export function stepToward(
  graph: Graph,
  boxes: ReadonlyMap<string, Box>,
  from: string | undefined,
  direction: Direction,
): string | undefined {
  const first =
    graph.steps.find(({ id }) => !graph.edges.some(({ target }) => target === id))?.id ?? graph.steps[0]?.id;
  const step = graph.steps.find(({ id }) => id === from);
  if (!step || direction === "Home") return first;
  const nearest = (ids: string[]) =>
    ids.toSorted((a, b) => {
      const own = centre(boxes.get(step.id));
      return Math.abs(centre(boxes.get(a)) - own) - Math.abs(centre(boxes.get(b)) - own);
    })[0];
  const children = graph.steps.filter(({ parentId }) => parentId === step.id).map(({ id }) => id);
  if (direction === "ArrowRight") {
    const next = graph.edges.filter(({ source }) => source === step.id).map(({ target }) => target);
    return nearest(next) ?? step.id;
  }
  if (direction === "ArrowLeft") {
    const before = graph.edges.filter(({ target }) => target === step.id).map(({ source }) => source);
    return nearest(before) ?? step.parentId ?? step.id;
  }
  const own = boxes.get(step.id);
  const column = graph.steps.filter(other => {
    const box = boxes.get(other.id);
    return other.parentId === step.parentId && box && own && box.x < own.x + own.width && own.x < box.x + box.width;
  });
  const sorted = column.toSorted((a, b) => centre(boxes.get(a.id)) - centre(boxes.get(b.id)));
  const at = sorted.findIndex(({ id }) => id === step.id);
  if (direction === "ArrowDown") return sorted[at + 1]?.id ?? children[0] ?? step.id;
  return sorted[at - 1]?.id ?? step.parentId ?? step.id;
}
