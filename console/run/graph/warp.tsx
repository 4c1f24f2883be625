import { type ReactFlowState, useStore } from "@xyflow/react";
import styles from "./warp.module.css";

const GAP = 24;
/** So far it reaches beyond the canvas: further than two lines are apart. As in the style sheet. */
const MARGIN = 48;

const gapOf = ({ transform: [, , zoom] }: ReactFlowState) => GAP * zoom;
const shiftOf = ({ transform: [x, , zoom] }: ReactFlowState) => Math.round((x + MARGIN) % (GAP * zoom));

/** The warp: the fine lines behind a graph. They are shifted with it, and painted anew only when it is zoomed. */
export function Warp() {
  const gap = useStore(gapOf);
  const shift = useStore(shiftOf);
  return (
    <div
      className={styles.warp}
      style={{ backgroundSize: `${gap}px 100%`, transform: `translateX(${shift}px)` }}
      aria-hidden
    />
  );
}
