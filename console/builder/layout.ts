import type { Graph, GraphEdge } from "../run/graph/definition.ts";
import { layoutInWorker } from "../run/graph/use-places.ts";
import { animateMove } from "./animate-move.ts";
import { STEP } from "./canvas/geometry.ts";
import {
  type DocumentState,
  handleOf,
  isDisabled,
  isStray,
  nameOf,
  parentOf,
  type Places,
  positionOf,
  sourceOf,
  targetOf,
  tidy,
  typeOf,
} from "./document/index.ts";
import type { Scene } from "./scene.ts";

const graphs = new WeakMap<DocumentState["nodes"], { edges: DocumentState["edges"]; graph: Graph }>();

/** Converts a document to the graph that the layout and the keyboard navigation use. */
export function graphOfState(state: DocumentState): Graph {
  const known = graphs.get(state.nodes);
  if (known?.edges === state.edges) return known.graph;
  const steps = [...state.nodes].flatMap(([id, node]) => {
    if (isStray(id)) return [];
    const parent = parentOf(node);
    const parentId = parent !== undefined && state.nodes.has(parent) ? parent : undefined;
    const [name, position, disabled] = [nameOf(state, id), positionOf(node), isDisabled(node)];
    return [{ id, type: typeOf(node), name, parentId, position, disabled, data: undefined }];
  });
  const edges = [...state.edges].flatMap(([id, edge]) => {
    const [source, target] = [sourceOf(edge), targetOf(edge)];
    return isStray(id) || !state.nodes.has(source) || !state.nodes.has(target)
      ? []
      : [{ id, source, target, handle: handleOf(edge) }];
  });
  const graph = { steps, edges };
  graphs.set(state.nodes, { edges: state.edges, graph });
  return graph;
}

/** The places of all steps according to the layout. */
export async function laidOut(scene: Scene): Promise<Places> {
  const state = scene.doc.getState();
  const graph = graphOfState(state);
  const boxes = scene.boxes().own;
  // Steps with many handles are taller, and the layout must know that.
  const steps = graph.steps.map(step => ({ ...step, height: boxes.get(step.id)?.height ?? STEP.height }));
  const rank = ({ source, handle }: GraphEdge) => scene.handles(source).findIndex(({ id }) => id === handle);
  const edges = graph.edges.toSorted((a, b) => rank(a) - rank(b));
  const placed = await layoutInWorker({ steps, edges });
  return new Map([...placed].map(([id, { x, y }]) => [id, { x: Math.round(x), y: Math.round(y) }]));
}

/** Arranges steps: the selected ones if there are several, or else all. The graph keeps its top left corner. */
export async function tidySteps(scene: Scene): Promise<void> {
  const places = await laidOut(scene);
  const { nodes } = scene.getView();
  const state = scene.doc.getState();
  const chosen = nodes.length > 1 ? new Set(nodes) : undefined;
  const own = scene.boxes().own;
  const kept = [...places].filter(([id]) => state.nodes.has(id) && (!chosen || chosen.has(id)));
  const top = kept.filter(([id]) => parentOf(state.nodes.get(id)) === undefined || chosen);
  const corner = (of: (id: string) => { x: number; y: number } | undefined) => ({
    x: Math.min(...top.map(([id]) => of(id)?.x ?? 0)),
    y: Math.min(...top.map(([id]) => of(id)?.y ?? 0)),
  });
  const [before, after] = [corner(id => own.get(id)), corner(id => places.get(id))];
  const moved = kept.map(([id, { x, y }]) => {
    const isTop = top.some(([each]) => each === id);
    return [id, isTop ? { x: x - after.x + before.x, y: y - after.y + before.y } : { x, y }] as const;
  });
  const from = new Map(moved.map(([id]) => [id, own.get(id) ?? { x: 0, y: 0 }]));
  if (top.length > 0 && scene.apply(tidy(new Map(moved)))) animateMove(scene, from);
}
