import "./flow.css";
import {
  Background,
  BackgroundVariant,
  Controls,
  type Edge,
  MarkerType,
  MiniMap,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from "@xyflow/react";
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef } from "react";
import type { Step } from "../../data/run-types.ts";
import { m } from "../../messages/index.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { stateOf } from "../step-state.ts";
import type { Graph } from "./definition.ts";
import { ContainerNode, type GraphNode, StepNode } from "./nodes.tsx";
import { type Box, STEP } from "./place.ts";
import styles from "./run-graph.module.css";
import { usePlaces } from "./use-places.ts";
import { isDirection, stepToward } from "./walk.ts";

const NODE_TYPES = { step: StepNode, container: ContainerNode };
/** From this many steps on, a map in the corner helps. */
const FOR_MINIMAP = 25;
/** More moving edges than these are not drawn moving. */
const MAX_MOVING = 50;

/** Names can be read from this zoom on. */
const LEGIBLE = 0.75;
const NOTABLE: ReadonlySet<Step["status"]> = new Set(["failed", "running", "waiting"]);
const BEGUN: ReadonlySet<Step["status"]> = new Set(["running", "waiting", "completed", "failed", "cancelled"]);

interface RunGraphProps {
  graph: Graph;
  /** What is known of each step, by its id. */
  steps: ReadonlyMap<string, Step>;
  selected: string | undefined;
  onSelect: (nodeId: string | undefined) => void;
}

function nodesOf({ graph, steps, selected }: RunGraphProps, boxes: ReadonlyMap<string, Box>): GraphNode[] {
  const containers = new Set(graph.steps.map(({ parentId }) => parentId));
  const handles = new Map<string, Set<string>>();
  for (const { source, handle } of graph.edges) handles.set(source, (handles.get(source) ?? new Set()).add(handle));
  // React Flow wants a parent before what is in it.
  const depth = (id: string | undefined, left = 10): number => {
    const step = graph.steps.find(one => one.id === id);
    return step && left > 0 ? 1 + depth(step.parentId, left - 1) : 0;
  };
  const ordered = containers.size > 1 ? graph.steps.toSorted((a, b) => depth(a.id) - depth(b.id)) : graph.steps;
  return ordered.map(({ id, name, type, parentId, disabled }) => {
    const { x, y, width, height } = boxes.get(id) ?? { x: 0, y: 0, ...STEP };
    const ways = [...(handles.get(id) ?? [])].toSorted();
    return {
      id,
      type: containers.has(id) || type === "map" ? "container" : "step",
      position: { x, y },
      width,
      height,
      ...(parentId !== undefined && { parentId }),
      draggable: false,
      selectable: false,
      focusable: false,
      data: { name, type, handles: ways, disabled, step: steps.get(id), selected: id === selected },
    };
  });
}

function edgesOf({ graph, steps }: RunGraphProps): Edge[] {
  let moving = 0;
  return graph.edges.map(({ id, source, target, handle }) => {
    const [from, to] = [steps.get(source), steps.get(target)];
    const taken = from !== undefined && to !== undefined && from.status !== "skipped" && BEGUN.has(to.status);
    const current = taken && to.status === "running" && ++moving <= MAX_MOVING;
    const failed = taken && from.status === "failed";
    return {
      id,
      source,
      target,
      sourceHandle: handle,
      ...(handle !== "out" && { label: m.run.handle(handle) }),
      className: [styles.edge, taken && styles.taken, current && styles.current, failed && styles.failed]
        .filter(Boolean)
        .join(" "),
      focusable: false,
      selectable: false,
      markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14, color: "var(--thread-colour)" },
    };
  });
}

function Canvas(props: RunGraphProps & { boxes: ReadonlyMap<string, Box> }) {
  const { graph, steps, selected, onSelect, boxes } = props;
  const flow = useReactFlow();
  const region = useRef<HTMLDivElement>(null);
  const nodes = useMemo(
    () => nodesOf({ graph, steps, selected, onSelect }, boxes),
    [graph, steps, selected, onSelect, boxes],
  );
  const edges = useMemo(() => edgesOf({ graph, steps, selected, onSelect }), [graph, steps, selected, onSelect]);
  const show = useCallback(
    (id: string) => {
      const box = flow.getInternalNode(id);
      if (!box) return;
      const { x, y } = box.internals.positionAbsolute;
      const { x: left, y: top, zoom } = flow.getViewport();
      const { width = 0, height = 0 } = region.current?.getBoundingClientRect() ?? {};
      const inSight =
        x * zoom + left >= 0 &&
        (x + STEP.width) * zoom + left <= width &&
        y * zoom + top >= 0 &&
        (y + STEP.height) * zoom + top <= height;
      if (!inSight) void flow.setCenter(x + STEP.width / 2, y + STEP.height / 2, { zoom, duration: 200 });
    },
    [flow],
  );
  useEffect(() => {
    if (selected !== undefined) show(selected);
  }, [selected, show]);
  const begin = () => {
    const { width = 0, height = 0 } = region.current?.getBoundingClientRect() ?? {};
    const bounds = flow.getNodesBounds(nodes);
    const zoom = Math.min(1, (width * 0.9) / bounds.width, (height * 0.85) / bounds.height);
    const first =
      steps.values().find(({ status }) => NOTABLE.has(status))?.nodeId ?? stepToward(graph, boxes, undefined, "Home");
    if (zoom >= LEGIBLE || first === undefined) return void flow.fitView({ padding: 0.1, maxZoom: 1 });
    // A graph that would be too small to read begins with the step that matters.
    const { x = 0, y = 0 } = flow.getInternalNode(selected ?? first)?.internals.positionAbsolute ?? {};
    const atStart = x * LEGIBLE < width * 0.6;
    const centre = atStart ? (width * 0.5) / LEGIBLE - 32 : x + STEP.width / 2;
    void flow.setCenter(centre, y + STEP.height / 2, { zoom: LEGIBLE });
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") return onSelect(undefined);
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
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={region}
      className={styles.region}
      // The canvas is one tab stop; arrow keys walk along its threads.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="application"
      aria-label={m.run.graphLabel(graph.steps.length)}
      onKeyDown={onKey}
    >
      <ReactFlow
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
        onInit={begin}
        minZoom={0.05}
        maxZoom={1.75}
        onlyRenderVisibleElements={graph.steps.length > 800}
        colorMode="system"
      >
        <Background
          variant={BackgroundVariant.Lines}
          gap={[24, 1e6]}
          offset={[0, 5e5]}
          lineWidth={1}
          color="var(--warp-far)"
        />
        <Controls showInteractive={false} className={styles.controls} />
        {graph.steps.length >= FOR_MINIMAP ? (
          <MiniMap
            pannable
            zoomable
            className={styles.minimap}
            nodeClassName={node =>
              styles[(node as GraphNode).data.step ? stateOf((node as GraphNode).data.step!) : "pending"] ?? ""
            }
            ariaLabel={m.run.minimap}
          />
        ) : null}
      </ReactFlow>
      <div className="visually-hidden" role="status">
        {current ? m.run.announce(current.name, state ? m.status[stateOf(state)] : m.status.pending) : ""}
      </div>
    </div>
  );
}

/** The graph of a version, woven as far as a run got. */
export function RunGraph(props: RunGraphProps) {
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
