import { edgeLabel } from "../../messages/en-steps.ts";
import { type NodeHandle, Position } from "@xyflow/react";
import {
  compensationOf,
  type DocumentState,
  handleOf,
  isDisabled,
  isStray,
  nameOf,
  parentOf,
  type RawEdge,
  type RawNode,
  sourceOf,
  targetOf,
  typeOf,
  isWithin,
} from "../document/index.ts";
import type { Handle, NodeType } from "../node-types.ts";
import type { Look, StepNode, EdgeData, StepEdge } from "./drawn.ts";
import type { Box } from "./geometry.ts";
import { containerSummary } from "./container-summary.ts";
import { KeyedMemo } from "./keyed-memo.ts";
import { COMPENSATION_HANDLE, compensationEdges } from "./compensation-edges.ts";

const RADIUS = 5;
const ABOVE_STEPS = 2_000;
const BEGUN: ReadonlySet<string> = new Set(["running", "waiting", "completed", "failed", "cancelled"]);
/** With more active edges than this, none is animated. */
const MAX_MOVING = 50;

function handleBounds(
  handles: readonly Handle[],
  { width, height }: Box,
  takes: boolean,
  undone: boolean,
): NodeHandle[] {
  const size = { width: 2 * RADIUS, height: 2 * RADIUS };
  const out = handles.map(({ id }, n) => ({
    id,
    type: "source" as const,
    position: Position.Right,
    x: width - RADIUS,
    y: ((n + 1) * height) / (handles.length + 1) - RADIUS,
    ...size,
  }));
  const target = { type: "target" as const, position: Position.Left, x: -RADIUS, y: height / 2 - RADIUS, ...size };
  const undo = { id: COMPENSATION_HANDLE, type: "source" as const, position: Position.Bottom, ...size };
  const below = undone ? [{ ...undo, x: width / 2 - RADIUS, y: height - 2 * RADIUS }] : [];
  return [...(takes ? [target] : []), ...out, ...below];
}

/** Whether edges can lead to a step. Steps that start runs take none. */
export const acceptsEdges = (info: NodeType | undefined): boolean => info?.category !== "start";

/**
 * Places a node with `left` and `top`. React Flow uses transforms, and the browser sorts each of them into layers
 * before each paint, which takes longer than the paint itself.
 */
const placed = ({ x, y }: Box) => ({ transform: "none", left: x, top: y });

/** Turns a document into the nodes and edges of React Flow. Objects stay the same while their content does. */
export class FlowElements {
  readonly #nodes = new KeyedMemo<StepNode>();
  readonly #edges = new KeyedMemo<StepEdge>();

  nodes(state: DocumentState, look: Look): StepNode[] {
    const depth = (id: string | undefined, left = 6): number =>
      id !== undefined && left > 0 ? 1 + depth(parentOf(state.nodes.get(id)), left - 1) : 0;
    const children = new Map<string, number>();
    const used = new Map<string, string[]>();
    for (const node of state.nodes.values()) {
      const parent = parentOf(node);
      if (parent !== undefined) children.set(parent, (children.get(parent) ?? 0) + 1);
    }
    for (const edge of state.edges.values()) {
      const known = used.get(sourceOf(edge));
      if (known) known.push(handleOf(edge));
      else used.set(sourceOf(edge), [handleOf(edge)]);
    }
    const hidden = (id: string): boolean => {
      const parent = parentOf(state.nodes.get(id));
      return parent !== undefined && state.nodes.has(parent) && (look.collapsed.has(parent) || hidden(parent));
    };
    const { opened } = look;
    const isShown = (id: string) => look.boxes.own.has(id) && !hidden(id) && isWithin(state, id, opened);
    const shown = [...state.nodes].filter(([id]) => !isStray(id) && isShown(id));
    // React Flow requires a container before its content.
    const ordered = children.size > 0 ? shown.toSorted(([a], [b]) => depth(a) - depth(b)) : shown;
    const made = ordered.map(([id, node]) =>
      this.#node(state, look, id, node, { children: children.get(id) ?? 0, used: used.get(id) ?? [] }),
    );
    return this.#nodes.turn(made);
  }

  #node(
    state: DocumentState,
    look: Look,
    id: string,
    node: RawNode,
    { children, used }: { children: number; used: readonly string[] },
  ): StepNode {
    const info = look.typeOf(typeOf(node));
    const handles = look.handles(id);
    const { x, y, width, height } = look.boxes.own.get(id)!;
    const absolute = look.boxes.absolute.get(id)!;
    const loose = handles.filter(handle => !used.includes(handle.id)).map(handle => handle.id);
    const parent = parentOf(node);
    const isGround = id === look.opened;
    const parentId = parent !== undefined && !isGround && state.nodes.has(parent) ? parent : undefined;
    const selected = look.selected.has(id);
    const collapsed = look.collapsed.has(id);
    const undone = compensationOf(node) !== undefined;
    const inputs = [
      ...[
        node,
        info,
        handles.map(handle => handle.id).join(),
        x,
        y,
        absolute.x,
        absolute.y,
        width,
        height,
        parentId,
        loose.join(),
        selected,
      ],
      ...[look.steps.get(id), look.faults.get(id)?.length, look.dimmed.has(id), look.marks.get(id), children],
      ...[collapsed, look.readOnly, isGround, look.warnings.get(id)?.length, look.pinned.has(id)],
    ];
    return this.#nodes.make(id, inputs, () => ({
      id,
      type: isGround ? "ground" : (info?.container || children > 0) && !collapsed ? "container" : "step",
      position: isGround ? absolute : { x, y },
      width,
      height,
      style: placed(absolute),
      // React Flow does not measure nodes whose handles are given, but fits only measured nodes into the view.
      measured: { width, height },
      handles: handleBounds(handles, absolute, acceptsEdges(info), undone),
      ...(parentId !== undefined && { parentId }),
      selected,
      draggable: !look.readOnly && !isGround,
      ...(isGround && { selectable: false }),
      data: {
        name: nameOf(state, id),
        type: typeOf(node),
        info,
        handles,
        loose,
        disabled: isDisabled(node),
        undone,
        step: look.steps.get(id),
        faults: look.faults.get(id)?.length ?? 0,
        warnings: look.warnings.get(id)?.length ?? 0,
        pinned: look.pinned.has(id),
        setup: info?.container ? containerSummary(node) : "",
        dimmed: look.dimmed.has(id),
        mark: look.marks.get(id),
        children,
        collapsed,
        readOnly: look.readOnly,
      },
    }));
  }

  edges(state: DocumentState, look: Look, shown: ReadonlySet<string>): StepEdge[] {
    let moving = 0;
    const made = [...state.edges].flatMap(([key, edge]) => {
      if (isStray(key) || !shown.has(sourceOf(edge)) || !shown.has(targetOf(edge))) return [];
      const [from, to] = [look.steps.get(sourceOf(edge)), look.steps.get(targetOf(edge))];
      const taken = from !== undefined && to !== undefined && from.status !== "skipped" && BEGUN.has(to.status);
      const current = taken && to.status === "running" && ++moving <= MAX_MOVING;
      const failed = taken && from.status === "failed";
      const run = failed ? "failed" : current ? "current" : taken ? "taken" : undefined;
      return [this.#edge(state, look, key, edge, run)];
    });
    return this.#edges.turn([...made, ...compensationEdges(state, look, shown, this.#edges)]);
  }

  #edge(document: DocumentState, look: Look, key: string, edge: RawEdge, state: EdgeData["state"]): StepEdge {
    const handle = handleOf(edge);
    const handles = look.handles(sourceOf(edge));
    const title =
      handles.length > 1 || handle !== "out" ? (handles.find(({ id }) => id === handle)?.title ?? handle) : "";
    const selected = look.selectedEdges.has(key);
    const hovered = look.hoveredEdge === key;
    const aimed = look.aimedEdge === key;
    const mark = look.edgeMarks.get(key);
    const ends = [sourceOf(edge), targetOf(edge)];
    const raised =
      selected || aimed || ends.some(id => look.selected.has(id) || parentOf(document.nodes.get(id)) !== undefined);
    const ariaLabel = edgeLabel(nameOf(document, ends[0]!), nameOf(document, ends[1]!));
    return this.#edges.make(
      key,
      [edge, selected, hovered, aimed, state, title, mark, raised, look.readOnly, ariaLabel],
      () => ({
        id: key,
        type: "edge",
        source: sourceOf(edge),
        target: targetOf(edge),
        sourceHandle: handle,
        ariaLabel,
        selected,
        reconnectable: look.readOnly ? false : selected,
        // Above the step that is dragged, which would cover it.
        ...(aimed && { zIndex: ABOVE_STEPS }),
        data: { handle, title, state, mark, hovered, aimed, raised, readOnly: look.readOnly },
      }),
    );
  }
}
