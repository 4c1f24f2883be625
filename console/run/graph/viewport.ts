import type { ReactFlowInstance } from "@xyflow/react";
import { type Box, STEP } from "./sizes.ts";

/** Names can be read from this zoom on. */
const LEGIBLE = 0.75;

/** So far from the border of the canvas a step is shown: the way out with its button stays in sight. */
const MARGIN = 64;
/** Behind a step are the names of its ways out, and their buttons. */
const BEHIND = 136;

/** So soon an inspector is open. */
const OPENS_MS = 1_000;

type Flow = Pick<ReactFlowInstance, "getViewport" | "setViewport">;
type Place = Pick<Box, "x" | "y">;

const sizeOf = (region: HTMLElement | null) => {
  const { width = 0, height = 0 } = region?.getBoundingClientRect() ?? {};
  return { width, height };
};

/** Puts a point into the middle. React Flow learns the size of the canvas late, as when an inspector opens beside it. */
function centre(
  flow: Flow,
  { width, height }: ReturnType<typeof sizeOf>,
  x: number,
  y: number,
  zoom: number,
  duration = 0,
) {
  void flow.setViewport({ x: width / 2 - x * zoom, y: height / 2 - y * zoom, zoom }, { duration });
}

/** How far to move so that a stretch lies within a room; 0 where it does, undefined where it is a room away. */
function shiftInto(from: number, to: number, room: number, behind = MARGIN): number | undefined {
  if (to < -room || from > 2 * room || to - from > room - MARGIN - behind) return undefined;
  return from < MARGIN ? MARGIN - from : to > room - behind ? room - behind - to : 0;
}

/** Brings a step into sight. The picture moves no further than it must, so that what is around stays in sight. */
export function showStep(flow: Flow, region: HTMLElement | null, place: Place | undefined): void {
  if (!place) return;
  const { x, y } = place;
  const { x: left, y: top, zoom } = flow.getViewport();
  const size = sizeOf(region);
  const dx = shiftInto(x * zoom + left, (x + STEP.width) * zoom + left, size.width, BEHIND);
  const dy = shiftInto(y * zoom + top, (y + STEP.height) * zoom + top, size.height);
  if (dx === 0 && dy === 0) return;
  if (dx === undefined || dy === undefined) {
    return centre(flow, size, x + STEP.width / 2, y + STEP.height / 2, zoom, 200);
  }
  void flow.setViewport({ x: left + dx, y: top + dy, zoom }, { duration: 200 });
}

/**
 * Brings a step into sight, and again where an inspector that opens beside the canvas takes its place. Returns how to end
 * that.
 */
export function keepInSight(flow: Flow, region: HTMLElement | null, place: Place | undefined): () => void {
  const show = () => showStep(flow, region, place);
  show();
  // The first call tells the size that is known.
  let isKnown = false;
  const resized = new ResizeObserver(() => {
    if (isKnown) show();
    isKnown = true;
  });
  if (region) resized.observe(region);
  const timer = setTimeout(() => resized.disconnect(), OPENS_MS);
  return () => {
    clearTimeout(timer);
    resized.disconnect();
  };
}

/** Brings several steps into sight, as large as they fit. One is brought into sight as it is selected. */
export function showSteps(flow: Flow, region: HTMLElement | null, boxes: readonly Box[]): void {
  if (boxes.length < 2 || !region) return;
  const x = Math.min(...boxes.map(box => box.x));
  const y = Math.min(...boxes.map(box => box.y));
  const right = Math.max(...boxes.map(box => box.x + box.width));
  const bottom = Math.max(...boxes.map(box => box.y + box.height));
  const show = () => {
    const size = sizeOf(region);
    const zoom = Math.min(1, (size.width * 0.85) / (right - x), (size.height * 0.8) / (bottom - y));
    centre(flow, size, (x + right) / 2, (y + bottom) / 2, zoom, 200);
  };
  const follow = () => {
    // The inspector of the last one opens beside the canvas a moment later, as it may have to be loaded.
    const resized = new ResizeObserver(show);
    resized.observe(region);
    setTimeout(() => resized.disconnect(), OPENS_MS);
  };
  // By then, what is selected has been brought into sight.
  requestAnimationFrame(() => requestAnimationFrame(follow));
}

/**
 * Shows the whole graph, which has these bounds, where that needs no smaller zoom than `wholeFrom`, and else the step that
 * matters.
 */
export function beginView(
  flow: Flow,
  region: HTMLElement | null,
  bounds: Box,
  first: Place | undefined,
  wholeFrom = LEGIBLE,
): void {
  const size = sizeOf(region);
  const { width, height } = size;
  const zoom = Math.min(1, (width * 0.9) / bounds.width, (height * 0.85) / bounds.height);
  if (zoom >= wholeFrom || first === undefined) {
    // React Flow fits the view only once it has drawn the nodes, which may be after a first step was chosen.
    return centre(flow, size, bounds.x + bounds.width / 2, bounds.y + bounds.height / 2, zoom);
  }
  const { x, y } = first;
  const atStart = (x - bounds.x) * LEGIBLE < width * 0.6;
  const middle = atStart ? bounds.x + (width * 0.5) / LEGIBLE - 32 : x + STEP.width / 2;
  centre(flow, size, middle, y + STEP.height / 2, LEGIBLE);
}
