import type { Viewport } from "@xyflow/react";
import { type RefObject, useState } from "react";

const levelOf = (zoom: number) => (zoom < 0.35 ? "blocks" : zoom < 0.6 ? "names" : "all");

/** A press that moves the canvas by less is a click. */
const CLICK_PX = 2;

const differs = (a: Viewport, b: Viewport) =>
  a.zoom !== b.zoom || Math.abs(a.x - b.x) > CLICK_PX || Math.abs(a.y - b.y) > CLICK_PX;

function motionIn(regionOf: () => HTMLElement | null) {
  let from: Viewport | undefined;
  return {
    onMoveStart(_event: unknown, at: Viewport) {
      from ??= at;
    },
    onMove(event: unknown, at: Viewport) {
      const region = regionOf();
      if (!region || !from || !differs(from, at)) return;
      region.dataset.moved = "";
      // Not for the wheel: the user may click on a step before the canvas stops.
      if (!(event instanceof MouseEvent) || event.buttons === 0 || "held" in region.dataset) return;
      region.dataset.held = "";
      addEventListener("pointerup", () => delete region.dataset.held, { once: true });
    },
    onMoveEnd(_event: unknown, { zoom }: Viewport) {
      from = undefined;
      const region = regionOf();
      if (!region) return;
      delete region.dataset.moved;
      region.dataset.level = levelOf(zoom);
    },
  };
}

/**
 * Sets attributes on the canvas that say whether it is being moved, and how far it is zoomed out. While it moves, it is
 * one layer that is shifted without painting. While the user drags it, the browser does not search for elements below
 * the pointer. The zoom level is updated when the movement ends.
 */
export function useMotion(region: RefObject<HTMLElement | null>) {
  const [motion] = useState(() => motionIn(() => region.current));
  return motion;
}
