import type { Graph, GraphStep } from "./definition.ts";
import { type Box, frameAround, STEP } from "./sizes.ts";

/** Whether each step has a place of its own, as after arranging by hand or by a layout. */
function areAllPlaced({ steps }: Graph): boolean {
  const seen = new Set<string>();
  for (const { parentId, position } of steps) {
    if (!position) return false;
    const key = `${parentId ?? ""}\n${position.x}\n${position.y}`;
    if (seen.has(key)) return false;
    seen.add(key);
  }
  return true;
}

/**
 * The places of the steps in the definition, relative to their containers, so that a run looks like its workflow in the
 * builder.
 * @returns undefined if a step has no place of its own
 */
export function storedPlaces(graph: Graph): Map<string, Box> | undefined {
  if (!areAllPlaced(graph)) return undefined;
  const childrenOf = Map.groupBy(graph.steps, ({ parentId }) => parentId);
  const boxes = new Map<string, Box>();
  const measure = ({ id, position, height = STEP.height }: GraphStep): Box => {
    const inside = childrenOf.get(id)?.map(measure);
    const box = { ...position!, ...(inside ? frameAround(inside) : { width: STEP.width, height }) };
    boxes.set(id, box);
    return box;
  };
  childrenOf.get(undefined)?.forEach(measure);
  return boxes;
}
