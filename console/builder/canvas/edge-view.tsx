import { EdgeLabelRenderer, type EdgeProps, getBezierPath } from "@xyflow/react";
import { Plus, Trash2 } from "lucide-react";
import { memo, use } from "react";
import { createPortal } from "react-dom";
import { words } from "../../messages/en-builder.ts";
import { cx } from "../../ui/cx.ts";
import { COMPENSATION_HANDLE } from "./compensation-edges.ts";
import type { StepEdge } from "./drawn.ts";
import { EdgeLayerContext } from "./edge-layer.ts";
import styles from "./edge-view.module.css";
import { useNodeActions } from "./step-node.tsx";

/**
 * The ends of a selected edge can be dragged. On an edge shorter than this they would cover its buttons, so the buttons
 * stand above it.
 */
const SHORT = 150;
const ABOVE = 30;

/** An edge between two steps. Its label stands at its start. */
export const EdgeView = memo(function EdgeView(props: EdgeProps<StepEdge>) {
  const { id, sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, selected, data } = props;
  const { addOnEdge, removeEdge } = useNodeActions();
  const [path, x, y] = getBezierPath({ sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition });
  const { handle, state, title, hovered, aimed, readOnly, mark, raised } = data!;
  const layer = use(EdgeLayerContext);
  const undoes = handle === COMPENSATION_HANDLE;
  const shows = (selected || hovered) && !readOnly;
  const isShort = Math.hypot(targetX - sourceX, targetY - sourceY) < SHORT;
  const actsY = selected && isShort ? y - ABOVE : y;
  const drawn = (
    <g
      className={cx(
        styles.edge,
        state && styles[state],
        selected && styles.selected,
        hovered && styles.hovered,
        aimed && styles.aimed,
        mark && styles[mark],
        undoes && styles.undoes,
      )}
    >
      <path id={id} d={path} fill="none" className="react-flow__edge-path" />
      {title === "" ? null : (
        <text className={cx(styles.way, "from-names")} x={sourceX + 10} y={sourceY + (undoes ? 16 : -5)}>
          {title}
        </text>
      )}
    </g>
  );
  return (
    <>
      {raised || !layer ? drawn : createPortal(drawn, layer)}
      {undoes ? null : (
        <path d={path} fill="none" strokeWidth={20} className={cx("react-flow__edge-interaction", styles.pressed)} />
      )}
      {shows ? (
        <EdgeLabelRenderer>
          <span
            className={cx(styles.acts, "nodrag nopan")}
            data-edge={id}
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${actsY}px)` }}
          >
            <button
              type="button"
              tabIndex={-1}
              className={styles.act}
              aria-label={words.addOnEdge}
              onClick={() => addOnEdge(id)}
            >
              <Plus size={14} aria-hidden />
            </button>
            <button
              type="button"
              tabIndex={-1}
              className={styles.act}
              aria-label={words.removeEdge}
              onClick={() => removeEdge(id)}
            >
              <Trash2 size={13} aria-hidden />
            </button>
          </span>
        </EdgeLabelRenderer>
      ) : null}
    </>
  );
});
