import { useEffect, useMemo, useRef } from "react";
import type { Row } from "./fold/rows.ts";
import { notableOf } from "./step-state.ts";

interface Scrolled {
  range: { startIndex: number; endIndex: number } | null;
  scrollToIndex: (index: number, options?: { align: "center" }) => void;
}

/** Keys that scroll the tree and select no row. */
const SCROLLS: ReadonlySet<string> = new Set(["PageUp", "PageDown", " "]);

/**
 * Keeps the step where the run is in sight, like the graph. Returns handlers for the tree: it follows no longer when
 * the user scrolls, presses a row, or has selected one.
 */
export function useFollowedRow(rows: readonly Row[], chosen: string | undefined, virtual: Scrolled) {
  const follows = useRef(true);
  const at = useMemo(() => {
    const steps = rows.flatMap(row => (row.kind === "step" ? [row.step] : []));
    const notable = notableOf(steps);
    return notable ? rows.findIndex(row => row.kind === "step" && row.step === notable) : -1;
  }, [rows]);
  useEffect(() => {
    if (chosen !== undefined) follows.current = false;
    if (!follows.current || at < 0) return;
    const { startIndex = at, endIndex = at } = virtual.range ?? {};
    // In the middle, so that the rows around it are visible and the tree moves seldom.
    if (at <= startIndex || at >= endIndex) virtual.scrollToIndex(at, { align: "center" });
  }, [at, chosen, virtual]);
  const stop = () => void (follows.current = false);
  return {
    onWheel: stop,
    onTouchMove: stop,
    onPointerDown: stop,
    onKeyDownCapture: ({ key }: { key: string }) => void (SCROLLS.has(key) && stop()),
  };
}
