import type { Places, Point } from "./document/index.ts";

/** Where a new step goes. */
export interface Where {
  after?: { id: string; handle: string };
  edge?: string;
  inside?: string;
  /** On the canvas. */
  at?: Point;
}

export type Asked =
  | { kind: "add"; where: Where }
  | { kind: "connect"; source: string; handle?: string; edge?: string }
  | { kind: "level"; source: string; handle: string; target: string }
  | { kind: "extract" }
  /** What a person should look at after a paste from another product, of which nothing is asked. */
  | { kind: "converted"; warnings: readonly string[] };

/** What is seen of a document, and is no part of it. */
export interface View {
  /** The selected steps. The last one is the one that the inspector shows. */
  readonly nodes: readonly string[];
  readonly edges: readonly string[];
  readonly notes: readonly string[];
  /** The note whose text is edited. */
  readonly writing: string | undefined;
  readonly collapsed: ReadonlySet<string>;
  /** The container that has the whole canvas. Undefined where the workflow has it. */
  readonly opened: string | undefined;
  readonly asked: Asked | undefined;
  /** Undefined where nothing was chosen: then the outline is for narrow screens. */
  readonly outline: boolean | undefined;
  readonly minimap: boolean | undefined;
  /** Arrow keys move the selected steps. */
  readonly moving: boolean;
  /** Places for steps that have none in the definition. */
  readonly places: Places | undefined;
  readonly dragged: Places | undefined;
  /** Places of steps on their way to where a layout has put them. */
  readonly gliding: Places | undefined;
  /** What a screen reader says. */
  readonly said: string;
}

/** What is seen when a document opens. */
export const START: View = {
  nodes: [],
  edges: [],
  notes: [],
  writing: undefined,
  collapsed: new Set(),
  opened: undefined,
  asked: undefined,
  outline: undefined,
  minimap: undefined,
  moving: false,
  places: undefined,
  dragged: undefined,
  gliding: undefined,
  said: "",
};
