import type { ReactFlowInstance } from "@xyflow/react";
import { type Box, STEP } from "./place.ts";

/** Names can be read from this zoom on. */
const LEGIBLE = 0.75;

type Flow = Pick<ReactFlowInstance, "getInternalNode" | "getViewport" | "setCenter" | "getNodesBounds" | "getNodes">;

const sizeOf = (region: HTMLElement | null) => {
  const { width = 0, height = 0 } = region?.getBoundingClientRect() ?? {};
  return { width, height };
};

/** Brings a step into sight, if it is not there already. */
export function showStep(flow: Flow, region: HTMLElement | null, id: string): void {
  const node = flow.getInternalNode(id);
  if (!node) return;
  const { x, y } = node.internals.positionAbsolute;
  const { x: left, y: top, zoom } = flow.getViewport();
  const { width, height } = sizeOf(region);
  const inSight =
    x * zoom + left >= 0 &&
    (x + STEP.width) * zoom + left <= width &&
    y * zoom + top >= 0 &&
    (y + STEP.height) * zoom + top <= height;
  if (!inSight) void flow.setCenter(x + STEP.width / 2, y + STEP.height / 2, { zoom, duration: 200 });
}

/** Shows the whole graph where it can be read as a whole, and else the step that matters. */
export function beginView(flow: Flow, region: HTMLElement | null, first: string | undefined): void {
  const { width, height } = sizeOf(region);
  const bounds: Box = flow.getNodesBounds(flow.getNodes());
  const zoom = Math.min(1, (width * 0.9) / bounds.width, (height * 0.85) / bounds.height);
  if (zoom >= LEGIBLE || first === undefined) {
    // React Flow fits the view only once it has drawn the nodes, which may be after a first step was chosen.
    return void flow.setCenter(bounds.x + bounds.width / 2, bounds.y + bounds.height / 2, { zoom });
  }
  const { x = 0, y = 0 } = flow.getInternalNode(first)?.internals.positionAbsolute ?? {};
  const atStart = (x - bounds.x) * LEGIBLE < width * 0.6;
  const centre = atStart ? bounds.x + (width * 0.5) / LEGIBLE - 32 : x + STEP.width / 2;
  void flow.setCenter(centre, y + STEP.height / 2, { zoom: LEGIBLE });
}
