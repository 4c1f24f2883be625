import "./flow.css";
import {
  Controls,
  type Edge,
  MarkerType,
  Panel,
  ReactFlow,
  type ReactFlowInstance,
  ReactFlowProvider,
  useReactFlow,
} from "@xyflow/react";
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from "react";
import type { Step } from "../../data/run-types.ts";
import { runTexts } from "../../messages/en-run.ts";
import { canvasLabels, edgeLabel } from "../../messages/en-steps.ts";
import { m } from "../../messages/index.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { notableOf, stateOf } from "../step-state.ts";
import { Beyond } from "./beyond.tsx";
import { type Graph, leavesBy } from "./definition.ts";
import { ContainerNode, type GraphNode, StepNode } from "./nodes.tsx";
import { type Box, STEP } from "./sizes.ts";
import { RunMinimap } from "./run-minimap.tsx";
import styles from "./run-graph.module.css";
import { usePlaces } from "./use-places.ts";
import { useMotion } from "./use-motion.ts";
import { beginView, showStep } from "./viewport.ts";
import { isDirection, stepToward } from "./step-toward.ts";
import { GridLines } from "./grid-lines.tsx";

const NODE_TYPES = { step: StepNode, container: ContainerNode };
/** The minimap appears from this many steps on. */
const FOR_MINIMAP = 25;
/** With more active edges than this, none is animated. */
const MAX_MOVING = 50;

/** From this zoom on, names are readable enough to show the whole graph at first. */
const WHOLE_FROM = 0.6;

interface RunGraphProps {
  graph: Graph;
  /** The state of each step by its id. */
  steps: ReadonlyMap<string, Step>;
  selected: string | undefined;
  onSelect: (nodeId: string | undefined) => void;
  /** The smallest zoom at which the whole graph may be shown at first. */
  wholeFrom?: number;
  /** Content above the graph. */
  children?: ReactNode;
}

function nodesOf({ graph, steps, selected }: RunGraphProps, boxes: ReadonlyMap<string, Box>): GraphNode[] {
  const containers = new Set(graph.steps.map(({ parentId }) => parentId));
  const leaving = Map.groupBy(graph.edges, ({ source }) => source);
  // Sorted by the vertical positions of the targets, so that edges do not cross.
  const handlesOf = (id: string) => {
    const down = (leaving.get(id) ?? []).toSorted(
      (a, b) => (boxes.get(a.target)?.y ?? 0) - (boxes.get(b.target)?.y ?? 0),
    );
    return [...new Set(down.map(({ handle }) => handle))];
  };
  // React Flow requires a parent before its content.
  const depth = (id: string | undefined, left = 10): number => {
    const step = graph.steps.find(one => one.id === id);
    return step && left > 0 ? 1 + depth(step.parentId, left - 1) : 0;
  };
  const ordered = containers.size > 1 ? graph.steps.toSorted((a, b) => depth(a.id) - depth(b.id)) : graph.steps;
  return ordered.map(({ id, name, type, parentId, disabled }) => {
    const { x, y, width, height } = boxes.get(id) ?? { x: 0, y: 0, ...STEP };
    return {
      id,
      type: containers.has(id) ? "container" : "step",
      position: { x, y },
      width,
      height,
      ...(parentId !== undefined && { parentId }),
      draggable: false,
      selectable: false,
      focusable: false,
      data: { name, type, handles: handlesOf(id), disabled, step: steps.get(id), selected: id === selected },
    };
  });
}

function edgesOf({ graph, steps }: RunGraphProps): Edge[] {
  let moving = 0;
  const names = new Map(graph.steps.map(({ id, name }) => [id, name]));
  return graph.edges.map(({ id, source, target, handle, undoes }) => {
    const [from, to] = [steps.get(source), steps.get(target)];
    const left = from !== undefined && leavesBy(from.handle, handle);
    const taken = undoes ? to !== undefined && to.startedAt !== null : left;
    const current = taken && to?.status === "running" && ++moving <= MAX_MOVING;
    const failed = left && from.status === "failed";
    return {
      id,
      source,
      target,
      sourceHandle: handle,
      ariaLabel: edgeLabel(names.get(source) ?? source, names.get(target) ?? target),
      ...(handle !== "out" && { label: runTexts.run.handle(handle) }),
      className: [
        styles.edge,
        taken && styles.taken,
        current && styles.current,
        failed && styles.failed,
        undoes && styles.undoes,
      ]
        .filter(Boolean)
        .join(" "),
      focusable: false,
      selectable: false,
      markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14, color: "context-stroke" },
    };
  });
}

/** The position of a step on the canvas, also if it is inside of a container. */
const placeOf = (flow: Pick<ReactFlowInstance, "getInternalNode">, id: string) =>
  flow.getInternalNode(id)?.internals.positionAbsolute;

function Canvas(props: RunGraphProps & { boxes: ReadonlyMap<string, Box> }) {
  const { graph, steps, selected, onSelect, boxes, wholeFrom = WHOLE_FROM, children } = props;
  const flow = useReactFlow();
  const region = useRef<HTMLDivElement>(null);
  const motion = useMotion(region);
  const nodes = useMemo(
    () => nodesOf({ graph, steps, selected, onSelect }, boxes),
    [graph, steps, selected, onSelect, boxes],
  );
  const edges = useMemo(() => edgesOf({ graph, steps, selected, onSelect }), [graph, steps, selected, onSelect]);
  useEffect(() => {
    if (selected !== undefined) showStep(flow, region.current, placeOf(flow, selected));
  }, [selected, flow]);
  // The view follows the run until the user moves it, or selects a step.
  const follows = useRef(false);
  const notable = useMemo(() => notableOf(steps.values())?.nodeId, [steps]);
  useEffect(() => {
    if (selected !== undefined) follows.current = false;
    else if (follows.current && notable !== undefined) showStep(flow, region.current, placeOf(flow, notable));
  }, [notable, selected, flow]);
  const begin = () => {
    follows.current = true;
    const first = selected ?? notable ?? stepToward(graph, boxes, undefined, "Home");
    const around = flow.getNodesBounds(flow.getNodes());
    beginView(flow, region.current, around, first === undefined ? undefined : placeOf(flow, first), wholeFrom);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      // The canvas keeps the focus. Otherwise the values would close with it and move it to the steps.
      event.preventDefault();
      return onSelect(undefined);
    }
    if (event.key === "1") return void flow.fitView({ padding: 0.15, duration: 200 });
    if (event.key === "+") return void flow.zoomIn({ duration: 120 });
    if (event.key === "-") return void flow.zoomOut({ duration: 120 });
    if (!isDirection(event.key)) return;
    event.preventDefault();
    onSelect(stepToward(graph, boxes, selected, event.key));
  };
  const current = graph.steps.find(({ id }) => id === selected);
  const state = current && steps.get(current.id);
  return (
    <div ref={region} className={styles.region}>
      <ReactFlow
        // The canvas is one tab stop, and arrow keys move along its edges. Its role is `application`.
        tabIndex={0}
        className={styles.canvas}
        aria-label={runTexts.run.graphLabel(graph.steps.length)}
        onKeyDown={onKey}
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        onNodeClick={(_event, { id }) => onSelect(id)}
        onPaneClick={() => onSelect(undefined)}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        disableKeyboardA11y
        ariaLabelConfig={canvasLabels}
        onInit={begin}
        {...motion}
        onMoveStart={(event, at) => {
          if (event) follows.current = false;
          motion.onMoveStart(event, at);
        }}
        panOnScroll
        minZoom={0.05}
        maxZoom={1.75}
        onlyRenderVisibleElements={graph.steps.length > 800}
        colorMode="system"
      >
        <GridLines />
        <Controls showInteractive={false} className={styles.controls} />
        {children ? <Panel position="top-center">{children}</Panel> : null}
        {graph.steps.length >= FOR_MINIMAP ? <RunMinimap graph={graph} boxes={boxes} /> : null}
        <Beyond region={region} />
      </ReactFlow>
      <div className="visually-hidden" role="status">
        {current ? runTexts.run.announce(current.name, state ? m.status[stateOf(state)] : m.status.unstarted) : ""}
      </div>
    </div>
  );
}

/** The graph of a version. Edges that the run took are drawn as woven. */
export default function RunGraph(props: RunGraphProps) {
  const boxes = usePlaces(props.graph);
  if (!boxes) {
    return (
      <div className={styles.loading}>
        <Skeleton width={180} />
      </div>
    );
  }
  return (
    <ReactFlowProvider>
      <Canvas {...props} boxes={boxes} />
    </ReactFlowProvider>
  );
}
