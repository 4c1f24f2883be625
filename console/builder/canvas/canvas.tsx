import "../../run/graph/flow.css";
import { ConnectionMode, type NodeProps, ReactFlow, ReactFlowProvider, useReactFlow } from "@xyflow/react";
import { type KeyboardEvent, Suspense, useEffect, useMemo, useReducer, useRef } from "react";
import type { Step } from "../../data/run-types.ts";
import { words } from "../../messages/en-builder.ts";
import { canvasLabels } from "../../messages/en-steps.ts";
import { stepToward } from "../../run/graph/step-toward.ts";
import { useMotion } from "../../run/graph/use-motion.ts";
import { beginView, keepInSight, showSteps } from "../../run/graph/viewport.ts";
import { GridLines } from "../../run/graph/grid-lines.tsx";
import { lazy } from "../../ui/lazy.tsx";
import { clipboardOf } from "../clipboard-events.ts";
import { graphOfState } from "../layout.ts";
import type { Scene } from "../scene.ts";
import { takeFocus } from "../take-focus.ts";
import { unplaced } from "../unplaced.ts";
import { CanvasTools } from "./canvas-tools.tsx";
import styles from "./canvas.module.css";
import type { DiffMark } from "./drawn.ts";
import { CanvasProviders } from "./canvas-providers.tsx";
import { ContainerPath } from "./container-path.tsx";
import { GRID } from "./geometry.ts";
import { Guides } from "./guides-view.tsx";
import { performKey } from "./keys.ts";
import { newNote, type NoteNode } from "./notes.ts";
import { BackgroundNode, ContainerNode, StepNode } from "./step-node.tsx";
import { EdgeView } from "./edge-view.tsx";
import { useChanges } from "./use-changes.ts";
import { boundsOf, useProgressiveGraph } from "./use-progressive-graph.ts";
import { useMenu } from "./use-menu.ts";
import { useFlowElements } from "./use-flow-elements.ts";
import { useAutoPlacement } from "./use-auto-placement.ts";
import { useEdgePointer } from "./use-edge-pointer.ts";
import { useSettledDocument } from "./use-settled-document.ts";
import { useView } from "./use-view.ts";

// Parts that appear only with a selection or after an action are loaded on demand.
const SelectionBar = lazy(() => import("./selection-bar.tsx"), "SelectionBar");
const StepShapes = lazy(() => import("./step-shapes.tsx"), "StepShapes");
const RefusalHint = lazy(() => import("./refusal-hint.tsx"), "RefusalHint");
const CanvasMenu = lazy(() => import("./canvas-menu.tsx"), "CanvasMenu");
const loadNote = () => import("./note-view.tsx");
const NoteView = lazy(loadNote, "NoteView");

const Note = (props: NodeProps<NoteNode>) => (
  <Suspense fallback={null}>
    <NoteView {...props} />
  </Suspense>
);
const NODE_TYPES = { step: StepNode, container: ContainerNode, ground: BackgroundNode, note: Note };
const EDGE_TYPES = { edge: EdgeView };
/** Up to this many steps, invisible ones stay in the page. Drawing them again while panning costs more. */
const CULL_FROM = 800;
// Constants outside of the component, because React Flow processes each new list again.
const SNAP: [number, number] = [GRID, GRID];
const NONE: ReadonlyMap<string, never> = new Map<string, never>();
const NO_IDS: ReadonlySet<string> = new Set();

interface CanvasProps {
  scene: Scene;
  /** The state of each step in the run that is shown. */
  steps: ReadonlyMap<string, Step>;
  faults: ReadonlyMap<string, { length: number }>;
  warnings?: ReadonlyMap<string, { length: number }>;
  /** The steps with a pinned sample. */
  pinned?: ReadonlySet<string>;
  marks?: ReadonlyMap<string, DiffMark>;
  edgeMarks?: ReadonlyMap<string, DiffMark>;
  workspaceId: string;
  onRunFrom?: ((id: string) => void) | undefined;
}

function Surface({
  scene,
  steps,
  faults,
  warnings = NONE,
  pinned = NO_IDS,
  marks = NONE,
  edgeMarks = NONE,
  workspaceId,
  onRunFrom,
}: CanvasProps) {
  const flow = useReactFlow();
  const region = useRef<HTMLDivElement>(null);
  const state = useSettledDocument(scene.doc, region);
  const view = useView(scene);
  const pointer = useEdgePointer(scene);
  const menu = useMenu(scene);
  const motion = useMotion(region);
  useAutoPlacement(scene, state);

  const boxes = scene.boxes();
  const isCulled = boxes.absolute.size > CULL_FROM;
  const elements = useFlowElements(scene, state, {
    ...{ boxes, steps, faults, warnings, pinned, marks, edgeMarks },
    ...{ hoveredEdge: pointer.hoveredEdge, connecting: pointer.connecting },
  });
  const { nodes, edges, begin, isWhole } = useProgressiveGraph(elements, state.nodes.size, !isCulled);

  const last = view.nodes.at(-1);
  useEffect(() => {
    return last === undefined ? undefined : keepInSight(flow, region.current, () => scene.boxes().absolute.get(last));
  }, [last, flow, scene]);
  // The view fits the graph once all steps have places. After that only the user moves it.
  const [ready, becomeReady] = useReducer(() => true, false);
  const begun = useRef(false);
  useEffect(() => {
    if (!ready || begun.current || (view.places === undefined && unplaced(state).size > 0)) return;
    begun.current = true;
    const first = last ?? stepToward(graphOfState(state), boxes.absolute, undefined, "Home");
    beginView(
      flow,
      region.current,
      boundsOf(elements.nodes),
      first === undefined ? undefined : boxes.absolute.get(first),
    );
    begin(flow, region, boxes.absolute);
  }, [ready, view.places, state, boxes, last, flow, elements.nodes, begin]);
  useEffect(() => {
    takeFocus(region.current, scene.getView().outline === false);
    return scene.attach({
      focus: () => region.current?.focus(),
      centre() {
        const { x, y, width, height } = region.current?.getBoundingClientRect() ?? new DOMRect();
        return flow.screenToFlowPosition({ x: x + width / 2, y: y + height / 2 });
      },
      lookedAt: () => flow.getViewport(),
      look: at => void flow.setViewport(at),
      show: boxes => showSteps(flow, region.current, boxes),
    });
  }, [scene, flow]);

  const keyActs = useMemo(
    () => ({
      fit: () => void flow.fitView({ padding: 0.15, duration: 200 }),
      zoom: (by: 1 | -1) => void (by === 1 ? flow.zoomIn({ duration: 120 }) : flow.zoomOut({ duration: 120 })),
      // The view of notes loads first, because the user types into the note at once.
      note: () => void loadNote().then(() => newNote(scene)),
    }),
    [flow, scene],
  );
  const onKey = (event: KeyboardEvent) => {
    if (event.target !== region.current || event.altKey || event.nativeEvent.isComposing) return;
    const { key, shiftKey: shift } = event;
    if (performKey(scene, { key, shift, mod: event.ctrlKey || event.metaKey }, keyActs)) event.preventDefault();
  };
  const { onNodesChange, onEdgesChange, drop, onPointerDownCapture } = useChanges(scene);

  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application handles its keys itself
    <div
      ref={region}
      className={styles.region}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- one tab stop, whose arrow keys walk along edges
      tabIndex={0}
      role="application"
      aria-label={words.canvas(state.nodes.size)}
      aria-describedby="builder-said"
      data-moving={view.moving || undefined}
      onKeyDown={onKey}
      onPointerDownCapture={onPointerDownCapture}
      {...clipboardOf(scene, workspaceId)}
    >
      <CanvasProviders scene={scene} region={region} nodes={elements.nodes}>
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          onNodesChange={onNodesChange}
          onEdgesChange={onEdgesChange}
          onNodeDragStop={drop}
          onSelectionDragStop={drop}
          {...pointer.props}
          {...menu.props}
          {...motion}
          onInit={becomeReady}
          nodesDraggable={!scene.readOnly}
          // Otherwise the inspector would open below the pointer that drags the step.
          selectNodesOnDrag={false}
          nodesConnectable={!scene.readOnly}
          connectionMode={ConnectionMode.Strict}
          connectionRadius={28}
          snapToGrid
          snapGrid={SNAP}
          selectionKeyCode="Shift"
          multiSelectionKeyCode={null}
          deleteKeyCode={null}
          nodesFocusable={false}
          edgesFocusable={false}
          role="presentation"
          disableKeyboardA11y
          ariaLabelConfig={canvasLabels}
          zoomOnDoubleClick={false}
          panOnScroll
          elevateEdgesOnSelect
          minZoom={0.05}
          maxZoom={1.75}
          onlyRenderVisibleElements={isCulled}
          colorMode="system"
        >
          <GridLines />
          <Suspense fallback={null}>
            {isCulled && view.opened === undefined ? <StepShapes state={state} boxes={boxes.absolute} /> : null}
          </Suspense>
          <Guides scene={scene} />
          <ContainerPath scene={scene} />
          {/* The minimap is drawn once, when all steps are there. */}
          <CanvasTools scene={scene} count={isWhole ? boxes.absolute.size : 0} acts={keyActs} />
          <Suspense fallback={null}>
            <RefusalHint scene={scene} from={pointer.connecting} />
            {menu.at ? (
              <CanvasMenu
                {...{ scene, workspaceId, at: menu.at, acts: keyActs }}
                place={flow.screenToFlowPosition(menu.at)}
                onClose={menu.close}
              />
            ) : null}
            {scene.readOnly || last === undefined ? null : <SelectionBar scene={scene} onRunFrom={onRunFrom} />}
          </Suspense>
        </ReactFlow>
      </CanvasProviders>
    </div>
  );
}

/** Draws the document. The document is the only source of truth: the canvas changes it only by commands. */
export function Canvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Surface {...props} />
    </ReactFlowProvider>
  );
}
