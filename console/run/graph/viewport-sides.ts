import type { ReactFlowInstance } from "@xyflow/react";

export const SIDES = ["left", "right", "top", "bottom"] as const;
export type Side = (typeof SIDES)[number];

/** The share of the canvas by which the view moves. The rest stays in sight, so that the eye keeps its place. */
const STRIDE = 0.8;
/** The space between the outermost step and the border of the canvas. */
const MARGIN = 32;

/**
 * How far the view moves along one axis: a stride, and no further than to the end of the graph.
 * @param start where the graph starts on the canvas, in pixels
 * @param end where it ends
 */
function shiftToward(forward: boolean, start: number, end: number, room: number): number {
  const stride = room * STRIDE;
  return forward ? -Math.min(stride, end + MARGIN - room) : Math.min(stride, MARGIN - start);
}

/** Moves the view of a graph towards a side beyond which steps are. */
export function panToward(
  flow: Pick<ReactFlowInstance, "getNodes" | "getNodesBounds" | "getViewport" | "setViewport">,
  region: HTMLElement | null,
  side: Side,
): void {
  const room = region?.getBoundingClientRect();
  if (!room) return;
  const { x, y, zoom } = flow.getViewport();
  const graph = flow.getNodesBounds(flow.getNodes());
  const [left, top] = [graph.x * zoom + x, graph.y * zoom + y];
  const forward = side === "right" || side === "bottom";
  const isAcross = side === "left" || side === "right";
  const dx = isAcross ? shiftToward(forward, left, left + graph.width * zoom, room.width) : 0;
  const dy = isAcross ? 0 : shiftToward(forward, top, top + graph.height * zoom, room.height);
  void flow.setViewport({ x: x + dx, y: y + dy, zoom }, { duration: 200 });
}
