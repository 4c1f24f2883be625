import { MiniMap } from "@xyflow/react";
import { useMemo } from "react";
import { runTexts } from "../../messages/en-run.ts";
import { stateOf } from "../step-state.ts";
import type { Graph } from "./definition.ts";
import type { GraphNode } from "./nodes.tsx";
import styles from "./run-graph.module.css";
import type { Box } from "./sizes.ts";

const WIDTH = 200;
const MAX_HEIGHT = 150;
const MIN_HEIGHT = 40;

interface RunMinimapProps {
  graph: Graph;
  boxes: ReadonlyMap<string, Box>;
}

/** The height that shows a graph without empty space above and below. */
function heightOf({ graph, boxes }: RunMinimapProps): number {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { id, parentId } of graph.steps) {
    const box = boxes.get(id);
    // The places of steps inside a container are relative to it.
    if (!box || parentId !== undefined) continue;
    [left, top] = [Math.min(left, box.x), Math.min(top, box.y)];
    [right, bottom] = [Math.max(right, box.x + box.width), Math.max(bottom, box.y + box.height)];
  }
  return Math.max(MIN_HEIGHT, Math.min(MAX_HEIGHT, (WIDTH * (bottom - top)) / (right - left)));
}

const classOf = ({ data: { step } }: GraphNode) => styles[step ? stateOf(step) : "unstarted"] ?? "";

/** A small map of a graph, coloured by the states of its steps. */
export function RunMinimap({ graph, boxes }: RunMinimapProps) {
  const style = useMemo(() => ({ width: WIDTH, height: heightOf({ graph, boxes }) }), [graph, boxes]);
  return (
    <MiniMap<GraphNode>
      pannable
      zoomable
      className={styles.minimap}
      style={style}
      nodeClassName={classOf}
      ariaLabel={runTexts.run.minimap}
    />
  );
}
