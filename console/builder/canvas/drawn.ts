import type { Edge, Node } from "@xyflow/react";
import type { Step } from "../../data/run-types.ts";
import type { Handle, NodeType } from "../node-types.ts";
import type { Boxes } from "./geometry.ts";

/** How a step differs between two versions. */
export type DiffMark = "added" | "removed" | "changed";

export interface StepData extends Record<string, unknown> {
  name: string;
  type: string;
  info: NodeType | undefined;
  handles: readonly Handle[];
  /** Handles that are not connected yet. */
  loose: readonly string[];
  disabled: boolean;
  /** Whether another step compensates for this one. */
  undone: boolean;
  step: Step | undefined;
  faults: number;
  warnings: number;
  /** Whether it has a pinned sample. */
  pinned: boolean;
  /** The settings of a container in a few words. */
  setup: string;
  /** Whether the connection that is being drawn cannot lead here. */
  dimmed: boolean;
  mark: DiffMark | undefined;
  children: number;
  collapsed: boolean;
  readOnly: boolean;
}
export type StepNode = Node<StepData>;

export interface EdgeData extends Record<string, unknown> {
  handle: string;
  title: string;
  state: "taken" | "current" | "failed" | undefined;
  mark: DiffMark | undefined;
  hovered: boolean;
  /** A step that is dragged lies on it, and goes between its ends. */
  aimed: boolean;
  /** It lies above steps: it is in a container, aimed at, or selected, or one of its steps is. */
  raised: boolean;
  readOnly: boolean;
}
export type StepEdge = Edge<EdgeData>;

/** Everything besides the document that changes what the canvas draws. */
export interface Look {
  typeOf: (type: string) => NodeType | undefined;
  handles: (id: string) => readonly Handle[];
  boxes: Boxes;
  selected: ReadonlySet<string>;
  selectedEdges: ReadonlySet<string>;
  hoveredEdge: string | undefined;
  aimedEdge: string | undefined;
  steps: ReadonlyMap<string, Step>;
  faults: ReadonlyMap<string, { length: number }>;
  warnings: ReadonlyMap<string, { length: number }>;
  pinned: ReadonlySet<string>;
  dimmed: ReadonlySet<string>;
  marks: ReadonlyMap<string, DiffMark>;
  edgeMarks: ReadonlyMap<string, DiffMark>;
  collapsed: ReadonlySet<string>;
  /** The container that fills the canvas. */
  opened: string | undefined;
  readOnly: boolean;
}
