import { useMemo } from "react";
import { type Graph, type GraphStep, graphOf } from "../../run/graph/definition.ts";
import { lookOf } from "../../run/graph/step-look.tsx";
import styles from "./templates.module.css";

const STEP = { width: 224, height: 72 };
/** The padding around the steps of a container. */
const PAD = 28;
/** The minimum size of the picture, so that one or two steps are not enlarged. */
const LEAST = { width: 1_200, height: 360 };

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The places of the steps, as stored. Those inside a container are relative to it. */
function boxesOf({ steps }: Graph): Map<string, Box> {
  const byId = new Map(steps.map(step => [step.id, step]));
  const corner = ({ position, parentId }: GraphStep, left = 8): { x: number; y: number } => {
    const { x, y } = position ?? { x: 0, y: 0 };
    const parent = byId.get(parentId ?? "");
    if (!parent || left === 0) return { x, y };
    const from = corner(parent, left - 1);
    return { x: from.x + x, y: from.y + y };
  };
  const boxes = new Map(steps.map(step => [step.id, { ...corner(step), ...STEP }]));
  // Containers come before their content, so going backwards sizes the innermost containers first.
  for (const { id, parentId } of steps.toReversed()) {
    const [box, around] = [boxes.get(id), boxes.get(parentId ?? "")];
    if (!box || !around) continue;
    around.width = Math.max(around.width, box.x + box.width + PAD - around.x);
    around.height = Math.max(around.height, box.y + box.height + PAD - around.y);
  }
  return boxes;
}

/** A small picture of a definition without texts, for a card. */
export function MiniGraph({ definition }: { definition: unknown }) {
  const { graph, boxes, view } = useMemo(() => {
    const drawn = graphOf(definition);
    const places = boxesOf(drawn);
    const all = [...places.values()];
    const [left, top] = [Math.min(...all.map(({ x }) => x)), Math.min(...all.map(({ y }) => y))];
    const width = Math.max(...all.map(box => box.x + box.width)) - left;
    const height = Math.max(...all.map(box => box.y + box.height)) - top;
    const [wide, high] = [Math.max(width, LEAST.width), Math.max(height, LEAST.height)];
    const box = [left - (wide - width) / 2 - PAD, top - (high - height) / 2 - PAD, wide + 2 * PAD, high + 2 * PAD];
    return { graph: drawn, boxes: places, view: box.join(" ") };
  }, [definition]);
  if (boxes.size === 0) return null;
  return (
    <svg className={styles.mini} viewBox={view} aria-hidden>
      {graph.edges.map(({ id, source, target }) => {
        const [from, to] = [boxes.get(source), boxes.get(target)];
        if (!from || !to) return null;
        const [x1, y1] = [from.x + from.width, from.y + from.height / 2];
        const [x2, y2] = [to.x, to.y + to.height / 2];
        const bend = Math.max(40, Math.abs(x2 - x1) / 2);
        return <path key={id} d={`M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`} />;
      })}
      {graph.steps.map(({ id, type }) => {
        const { x, y, width, height } = boxes.get(id)!;
        return (
          <g key={id} data-category={lookOf(type).category}>
            <rect x={x} y={y} width={width} height={height} rx={12} />
            <rect className={styles.thread} x={x} y={y} width={14} height={height} rx={6} />
          </g>
        );
      })}
    </svg>
  );
}
