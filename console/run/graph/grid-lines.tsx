import { type ReactFlowState, useStore } from "@xyflow/react";
import styles from "./grid-lines.module.css";

const GAP = 24;
/**
 * How far the lines extend beyond the canvas. It must exceed the distance between two lines, and match the style sheet.
 */
const MARGIN = 48;

const gapOf = ({ transform: [, , zoom] }: ReactFlowState) => GAP * zoom;
const shiftOf = ({ transform: [x, , zoom] }: ReactFlowState) => Math.round((x + MARGIN) % (GAP * zoom));

/** The fine lines behind a graph. They move with it, and are painted again only after zooming. */
export function GridLines() {
  const gap = useStore(gapOf);
  const shift = useStore(shiftOf);
  return (
    <div
      className={styles.lines}
      style={{ backgroundSize: `${gap}px 100%`, transform: `translateX(${shift}px)` }}
      aria-hidden
    />
  );
}
