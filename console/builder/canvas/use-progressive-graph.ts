import type { ReactFlowInstance } from "@xyflow/react";
import { type RefObject, useCallback, useEffect, useMemo, useState } from "react";
import type { Box } from "../../run/graph/sizes.ts";
import { afterPaint } from "../../ui/after-paint.ts";
import type { StepEdge, StepNode } from "./drawn.ts";

/** Graphs of up to this many steps are drawn at once. */
const FEW = 60;
/** How many more steps each frame draws. */
const BATCH = 40;
/** Steps this close to the border of the canvas are drawn with the visible ones, in screen pixels. */
const AROUND = 100;

type Flow = Pick<ReactFlowInstance, "getViewport">;
/** Undefined until the visible part is known. */
type Shown = ReadonlySet<string> | "all" | undefined;

const NOTHING: { nodes: StepNode[]; edges: StepEdge[] } = { nodes: [], edges: [] };

/** The bounding box of all nodes. Nodes inside a container lie within its frame, so they are skipped. */
export function boundsOf(nodes: readonly StepNode[]): Box {
  const boxes = nodes.filter(({ parentId }) => parentId === undefined);
  const least = (at: "x" | "y") => Math.min(...boxes.map(({ position }) => position[at]));
  const [x, y] = [least("x"), least("y")];
  const right = Math.max(...boxes.map(({ position, width = 0 }) => position.x + width));
  const bottom = Math.max(...boxes.map(({ position, height = 0 }) => position.y + height));
  return boxes.length > 0 ? { x, y, width: right - x, height: bottom - y } : { x: 0, y: 0, width: 0, height: 0 };
}

/** The steps that are visible on the canvas. */
function inSight(flow: Flow, region: HTMLElement | null, boxes: ReadonlyMap<string, Box>): Set<string> {
  const { x, y, zoom } = flow.getViewport();
  const { width, height } = region?.getBoundingClientRect() ?? new DOMRect();
  const isNear = (at: number, size: number, shift: number, room: number) =>
    (at + size) * zoom + shift > -AROUND && at * zoom + shift < room + AROUND;
  const near = [...boxes].filter(
    ([, box]) => isNear(box.x, box.width, x, width) && isNear(box.y, box.height, y, height),
  );
  return new Set(near.map(([id]) => id));
}

/**
 * Draws a large graph in parts when it opens: the visible part first, and the rest in the next frames. It draws nothing
 * until `prefetch` is called, because the view decides what is visible. `rest` is false if React Flow itself draws only
 * the visible part.
 */
export function useProgressiveGraph({ nodes, edges }: typeof NOTHING, count: number, rest: boolean) {
  const [shown, show] = useState<Shown>(() => (count <= FEW ? "all" : undefined));
  const begin = useCallback(
    (flow: Flow, region: RefObject<HTMLElement | null>, boxes: ReadonlyMap<string, Box>) =>
      show(before => (before === "all" ? before : inSight(flow, region.current, boxes))),
    [],
  );
  useEffect(() => {
    if (shown === "all" || shown === undefined) return;
    // Waits for the frame after the one that shows the last part.
    return afterPaint(() => {
      const next = nodes.filter(({ id }) => !shown.has(id)).slice(0, BATCH);
      show(next.length < BATCH || !rest ? "all" : new Set([...shown, ...next.map(({ id }) => id)]));
    });
  }, [shown, nodes, rest]);
  return useMemo(() => {
    if (shown === "all") return { nodes, edges, begin, isWhole: true };
    if (shown === undefined) return { ...NOTHING, begin, isWhole: false };
    const drawn = nodes.filter(({ id, parentId }) => shown.has(id) && (parentId === undefined || shown.has(parentId)));
    const shownEdges = edges.filter(({ source, target }) => shown.has(source) && shown.has(target));
    return { nodes: drawn, edges: shownEdges, begin, isWhole: false };
  }, [shown, nodes, edges, begin]);
}
