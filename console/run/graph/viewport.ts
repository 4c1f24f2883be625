import type { ReactFlowInstance } from "@xyflow/react";
import { type Box, STEP } from "./sizes.ts";

/** From this zoom on, names are readable. */
const LEGIBLE = 0.75;

/** The distance between a visible step and the border of the canvas. It leaves space for the handle and its button. */
const MARGIN = 64;
/** The space after a step for the names and buttons of its handles. */
const BEHIND = 136;

/** An inspector opens within this time. */
const OPENS_MS = 1_000;

type Flow = Pick<ReactFlowInstance, "getViewport" | "setViewport">;
type Point = Pick<Box, "x" | "y">;

const sizeOf = (region: HTMLElement | null) => {
  const { width = 0, height = 0 } = region?.getBoundingClientRect() ?? {};
  return { width, height };
};

/** Centres a point. React Flow learns late that the canvas changed its size, for example when an inspector opens. */
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

/**
 * How far to move so that a range is visible. 0 if it is visible already, undefined if it is more than one screen away.
 */
function shiftInto(from: number, to: number, room: number, behind = MARGIN): number | undefined {
  if (to < -room || from > 2 * room || to - from > room - MARGIN - behind) return undefined;
  return from < MARGIN ? MARGIN - from : to > room - behind ? room - behind - to : 0;
}

/** Makes a step visible. The view moves as little as possible, so that the surroundings stay visible. */
export function showStep(flow: Flow, region: HTMLElement | null, place: Point | undefined): void {
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

/** Makes a step visible, and again if an inspector that opens would cover it. Returns a function that stops this. */
export function keepInSight(flow: Flow, region: HTMLElement | null, place: () => Point | undefined): () => void {
  // The step may get its place only after it is selected, when a link opens the page.
  const show = () => showStep(flow, region, place());
  show();
  // The first call reports the size that is already known.
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

/** Makes several steps visible, as large as possible. A single step keeps its size. */
export function showSteps(flow: Flow, region: HTMLElement | null, boxes: readonly Box[]): void {
  if (boxes.length < 2) return showStep(flow, region, boxes[0]);
  if (!region) return;
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
    // The inspector of the last step opens a moment later, because it may have to be loaded.
    const resized = new ResizeObserver(show);
    resized.observe(region);
    setTimeout(() => resized.disconnect(), OPENS_MS);
  };
  // By then the selected step is visible.
  requestAnimationFrame(() => requestAnimationFrame(follow));
}

/**
 * Shows the whole graph with these bounds, if the zoom for it is at least `wholeFrom`. Otherwise it shows the given
 * step.
 */
export function beginView(
  flow: Flow,
  region: HTMLElement | null,
  bounds: Box,
  first: Point | undefined,
  wholeFrom = LEGIBLE,
): void {
  const size = sizeOf(region);
  const { width, height } = size;
  const zoom = Math.min(1, (width * 0.95) / bounds.width, (height * 0.85) / bounds.height);
  if (zoom >= wholeFrom || first === undefined) {
    // React Flow fits the view only after it has drawn the nodes. A step may be selected before that.
    return centre(flow, size, bounds.x + bounds.width / 2, bounds.y + bounds.height / 2, zoom);
  }
  const { x, y } = first;
  // As much of the graph as possible is visible: beyond its start and its end is nothing to see.
  const half = width / 2 / LEGIBLE - 32;
  const middle = Math.max(bounds.x + half, Math.min(x + STEP.width / 2, bounds.x + bounds.width - half));
  centre(flow, size, middle, y + STEP.height / 2, LEGIBLE);
}
