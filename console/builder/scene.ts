import type { ImportWarning } from "../../sdk/definition.ts";
import { words } from "../messages/en-builder.ts";
import { type Box, type Boxes, boxesOf, heightFor, isSameLayout } from "./canvas/geometry.ts";
import { handlesOf } from "./canvas/handles.ts";
import type { Handle, NodeType, NodeTypes } from "./node-types.ts";
import {
  type BuilderDocument,
  type Command,
  type DocumentState,
  type Ends,
  type Point,
  type RawEdge,
  reconnect,
  type ViewSnapshot,
  sourceOf,
  typeOf,
  whyNot,
  withoutEdge,
  isWithin,
} from "./document/index.ts";
import { INITIAL_VIEW, type View } from "./view.ts";

export type { PromptRequest, View, InsertPosition } from "./view.ts";

/** The dialogs and panels above the canvas. At most one is open. */
export type Dialog = "run" | "save" | "deploy" | "problems" | "find" | "trial" | undefined;

export type Convert = (document: unknown) => Promise<{ definition: unknown; warnings: readonly ImportWarning[] }>;

const NONE: readonly RawEdge[] = [];
/** How many selections users can go back. */
const MAX_TRAIL = 50;
const LISTS = ["nodes", "edges", "notes"] as const;

const isSameList = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((id, n) => id === other[n]);

/** A document on the canvas, with the selection, the places of the steps, and the catalogue of types. */
export class Scene {
  readonly doc: BuilderDocument;
  /** Converts a workflow of another product. */
  readonly convert: Convert;
  types: ReadonlyMap<string, NodeType> = new Map();
  readOnly = false;
  /** The middle of the visible canvas, for steps that are added without a place. */
  centre: () => Point = () => ({ x: 0, y: 0 });
  /** The position and zoom of the canvas. Undefined if no canvas is shown. */
  lookedAt: () => ViewSnapshot["at"] = () => undefined;
  /** Moves the canvas to a position and zoom. */
  look: (at: NonNullable<ViewSnapshot["at"]>) => void = () => undefined;
  /** Moves the canvas so that these boxes are visible. */
  show: (boxes: readonly Box[]) => void = () => undefined;
  /** Moves the focus to the canvas. */
  focus: () => void = () => undefined;
  /** Moves the focus into the form of the selected step. */
  enterForm: () => void = () => undefined;
  /** Tests the selected step, as the button of its inspector does. */
  testStep: () => void = () => undefined;
  #catalogue: NodeTypes | undefined;
  #view = INITIAL_VIEW;
  #trail: string[] = [];
  #trailAt = -1;
  #handles = new Map<string, { node: unknown; edges: string; handles: readonly Handle[] }>();
  #outgoing: { edges: unknown; by: Map<string, RawEdge[]> } | undefined;
  #boxes: { state: DocumentState; view: View; types: unknown; boxes: Boxes } | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(
    doc: BuilderDocument,
    convert: Convert = () => Promise.reject(new Error("Nothing can be converted here")),
  ) {
    this.doc = doc;
    this.convert = convert;
    doc.sight = () => ({ nodes: this.#view.nodes, opened: this.#view.opened, at: this.lookedAt() });
  }

  readonly getView = (): View => this.#view;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Registers the inspector's function that moves the focus into its form. */
  attachForm(enter: () => void): void {
    this.enterForm = enter;
  }

  /** Registers the inspector's function that tests its step. */
  attachTest(test: () => void): void {
    this.testStep = test;
  }

  /** Registers the functions of the canvas or the outline. Returns a function that removes them. */
  attach(canvas: Partial<Pick<Scene, "focus" | "centre" | "lookedAt" | "look" | "show">>): () => void {
    const { focus, centre, lookedAt, look, show } = this;
    Object.assign(this, canvas);
    return () => void Object.assign(this, { focus, centre, lookedAt, look, show });
  }

  /** Restores a view: the selection, as far as its steps still exist, and the position of the canvas. */
  restore({ nodes, opened, at }: ViewSnapshot): void {
    const known = this.doc.getState().nodes;
    const now = this.lookedAt();
    if (at && !(at.x === now?.x && at.y === now.y && at.zoom === now.zoom)) this.look(at);
    this.set({ opened: opened !== undefined && known.has(opened) ? opened : undefined });
    this.select(nodes.filter(id => known.has(id)));
  }

  /** Sets the catalogue of types and whether the document is read-only. It does not notify subscribers. */
  prepare(types: NodeTypes | undefined, readOnly: boolean): void {
    this.readOnly = readOnly;
    if (types === this.#catalogue) return;
    this.#catalogue = types;
    this.types = new Map(types?.types.map(type => [type.type, type]));
    this.#handles.clear();
  }

  set(change: Partial<View>): void {
    const before = this.#view;
    const view = { ...before, ...change };
    // Keeps equal lists, so that nothing renders again for them.
    for (const list of LISTS) if (isSameList(view[list], before[list])) view[list] = before[list];
    if ((Object.keys(change) as (keyof View)[]).every(key => view[key] === before[key])) return;
    this.#view = view;
    for (const listener of this.#listeners) listener();
  }

  readonly typeOf = (type: string): NodeType | undefined => this.types.get(type);
  readonly infoOf = (id: string): NodeType | undefined => this.typeOf(typeOf(this.doc.getState().nodes.get(id)));
  readonly isLiteral = (type: string): boolean => this.typeOf(type)?.literal ?? false;
  readonly isContainer = (id: string): boolean => this.infoOf(id)?.container ?? false;
  readonly startsRun = (id: string): boolean => this.infoOf(id)?.category === "start";

  /**
   * Applies a command, unless the document is read-only. Computed places of steps become part of the document first.
   */
  apply(command: Command): boolean {
    return !this.readOnly && this.doc.apply(command);
  }

  reconnect(key: string, ends: Ends): void {
    const refusal = whyNot(withoutEdge(this.doc.getState(), key), ends, this.startsRun);
    if (refusal) this.say(words.refusal[refusal]);
    else this.apply(reconnect(key, ends));
  }

  /** Selects steps. With `trail` false, the selection is not added to the history of selections. */
  select(nodes: readonly string[], trail = true): void {
    const id = nodes.at(-1);
    if (trail && id !== undefined && this.#trail[this.#trailAt] !== id) {
      this.#trail = [...this.#trail.slice(0, this.#trailAt + 1), id].slice(-MAX_TRAIL);
      this.#trailAt = this.#trail.length - 1;
    }
    // A step outside of the container that fills the canvas is shown in its own container.
    const { opened } = this.#view;
    const isInside = nodes.every(each => each !== opened && isWithin(this.doc.getState(), each, opened));
    this.set({ nodes, fresh: undefined, edges: [], notes: [], moving: false, ...(!isInside && { opened: undefined }) });
  }

  /** Goes back or forward in the history of selections. Returns false at its end. */
  retrace(by: 1 | -1): boolean {
    const { nodes } = this.doc.getState();
    for (let at = this.#trailAt + by; at >= 0 && at < this.#trail.length; at += by) {
      if (!nodes.has(this.#trail[at]!)) continue;
      this.#trailAt = at;
      this.select([this.#trail[at]!], false);
      return true;
    }
    return false;
  }

  say(text: string): void {
    this.set({ announcement: text });
  }

  outgoing(id: string): readonly RawEdge[] {
    const { edges } = this.doc.getState();
    if (this.#outgoing?.edges !== edges) {
      this.#outgoing = { edges, by: Map.groupBy(edges.values(), sourceOf) };
    }
    return this.#outgoing.by.get(id) ?? NONE;
  }

  /** The handles of a step. The list stays the same object until they change. */
  readonly handles = (id: string): readonly Handle[] => {
    const node = this.doc.getState().nodes.get(id);
    if (!node) return [];
    const out = this.outgoing(id);
    const edges = out.map(edge => String(edge.sourceHandle)).join("\n");
    const known = this.#handles.get(id);
    if (known?.node === node && known.edges === edges) return known.handles;
    const handles = handlesOf(node, this.infoOf(id), out);
    this.#handles.set(id, { node, edges, handles });
    return handles;
  };

  boxes(): Boxes {
    const [state, view, types] = [this.doc.getState(), this.#view, this.types];
    const known = this.#boxes;
    const sameView =
      known?.view.places === view.places &&
      known?.view.dragged === view.dragged &&
      known?.view.animated === view.animated &&
      known?.view.collapsed === view.collapsed;
    if (
      known &&
      sameView &&
      known.state.nodes === state.nodes &&
      known.state.edges === state.edges &&
      known.types === types
    )
      return known.boxes;
    const made = boxesOf(state, {
      places: view.places,
      dragged: view.dragged ?? view.animated,
      heightOf: id => heightFor(this.handles(id).length),
      isContainer: this.isContainer,
      collapsed: view.collapsed,
    });
    // Reuses the boxes if a change moved nothing, for example a new name.
    const boxes = known && isSameLayout(known.boxes, made) ? known.boxes : made;
    this.#boxes = { state, view, types, boxes };
    return boxes;
  }
}
