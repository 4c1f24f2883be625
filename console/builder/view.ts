import type { Places, Point } from "./document/index.ts";

/** Where a new step goes. */
export interface InsertPosition {
  after?: { id: string; handle: string };
  edge?: string;
  inside?: string;
  /** On the canvas. */
  at?: Point;
}

export type PromptRequest =
  | { kind: "add"; where: InsertPosition }
  | { kind: "connect"; source: string; handle?: string; edge?: string }
  | { kind: "level"; source: string; handle: string; target: string }
  | { kind: "extract" }
  /** Lists what the user should check after a paste from another product. It asks nothing. */
  | { kind: "converted"; remarks: readonly PasteRemark[] };

/** A point of a report about pasted steps. */
export interface PasteRemark {
  /** The pasted step; undefined where the step is not on the canvas, or the point concerns the whole workflow. */
  id: string | undefined;
  /** The name that the step has in the file. */
  node: string | null;
  message: string;
}

/** How a document is shown. It is not part of the document. */
export interface View {
  /** The selected steps. The inspector shows the last one. */
  readonly nodes: readonly string[];
  /** The step that was just added, until another selection or an attempt to run. Its form hides what is missing. */
  readonly fresh: string | undefined;
  readonly edges: readonly string[];
  readonly notes: readonly string[];
  /** The note whose text is being edited. */
  readonly writing: string | undefined;
  readonly collapsed: ReadonlySet<string>;
  /** The container that fills the canvas. Undefined if the workflow does. */
  readonly opened: string | undefined;
  readonly prompt: PromptRequest | undefined;
  /** Undefined until the user chooses. Then narrow screens show the outline. */
  readonly outline: boolean | undefined;
  readonly minimap: boolean | undefined;
  /** Whether arrow keys move the selected steps. */
  readonly moving: boolean;
  /** Places for steps without one in the definition. */
  readonly places: Places | undefined;
  readonly dragged: Places | undefined;
  /** Current places of steps that are animated to where the layout puts them. */
  readonly animated: Places | undefined;
  /** The text that screen readers announce. */
  readonly announcement: string;
}

/** The view of a document when it opens. */
export const INITIAL_VIEW: View = {
  nodes: [],
  fresh: undefined,
  edges: [],
  notes: [],
  writing: undefined,
  collapsed: new Set(),
  opened: undefined,
  prompt: undefined,
  outline: undefined,
  minimap: undefined,
  moving: false,
  places: undefined,
  dragged: undefined,
  animated: undefined,
  announcement: "",
};
