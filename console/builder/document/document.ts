import { type Command, type Entry, type History, MAX_UNDO, MERGE_MS, type ViewSnapshot } from "./history.ts";
import { applyPatch, invert, nodesIn, patchBetween } from "./patch.ts";
import { definitionOf, type DocumentState, type Meta, readDefinition } from "./state.ts";

/** The edits of a document, to store them with a draft. */
export interface Edits {
  undo: readonly Entry[];
  redo: readonly Entry[];
  nodeKeys: readonly string[];
  edgeKeys: readonly string[];
}

/** An edit that was undone or redone, and the nodes that it changed. */
export interface HistoryMove {
  label: string;
  nodes: readonly string[];
  /** The view at the time of the edit. */
  sight: ViewSnapshot | undefined;
}

const withKeys = <T>(map: ReadonlyMap<string, T>, keys: readonly string[]): ReadonlyMap<string, T> =>
  keys.length === map.size ? new Map([...map.values()].map((value, n) => [keys[n]!, value])) : map;

/** The edited workflow with its history. It notifies its subscribers of each change, in the form that React expects. */
export class BuilderDocument {
  #state: DocumentState;
  #undo: Entry[] = [];
  #redo: Entry[] = [];
  #history: History = { undo: undefined, redo: undefined, revision: 0 };
  #last: { merge: string; at: number; before: DocumentState } | undefined;
  readonly #listeners = new Set<() => void>();
  /** Returns the current view, which only the canvas knows. */
  sight: () => ViewSnapshot | undefined = () => undefined;

  constructor(state: DocumentState, edits?: Edits) {
    this.#state = state;
    if (!edits) return;
    const edges = withKeys(state.edges, edits.edgeKeys);
    const numbers = edits.edgeKeys.map(key => Number(key.slice(1))).filter(Number.isInteger);
    const nextKey = numbers.reduce((most, n) => Math.max(most, n + 1), state.nextKey);
    this.#state = { ...state, nodes: withKeys(state.nodes, edits.nodeKeys), edges, nextKey };
    this.#undo = [...edits.undo];
    this.#redo = [...edits.redo];
    this.#changed();
  }

  readonly getState = (): DocumentState => this.#state;
  readonly getHistory = (): History => this.#history;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Applies a command. Returns whether it changed anything. */
  apply(command: Command, now: number = Date.now()): boolean {
    const before = this.#state;
    const after = command.apply(before);
    const last = this.#last;
    const merges = command.merge !== undefined && last?.merge === command.merge && now - last.at < MERGE_MS;
    if (!patchBetween(before, after)) return false;
    const since = merges ? last.before : before;
    const former = merges ? this.#undo.pop() : undefined;
    const patch = patchBetween(since, after);
    // Typing that ends with the original text leaves no edit behind.
    if (patch) this.#undo.push({ label: command.label, patch, before: former ? former.before : this.sight() });
    if (this.#undo.length > MAX_UNDO) this.#undo.shift();
    this.#redo = [];
    this.#last = patch && command.merge !== undefined ? { merge: command.merge, at: now, before: since } : undefined;
    this.#state = after;
    this.#changed();
    return true;
  }

  undo(): HistoryMove | undefined {
    const entry = this.#undo.pop();
    if (!entry) return undefined;
    this.#redo.push({ ...entry, after: this.sight() });
    return this.#move(entry, invert(entry.patch), entry.before);
  }

  redo(): HistoryMove | undefined {
    const entry = this.#redo.pop();
    if (!entry) return undefined;
    this.#undo.push(entry);
    return this.#move(entry, entry.patch, entry.after);
  }

  #move({ label }: Entry, patch: Entry["patch"], sight: ViewSnapshot | undefined): HistoryMove {
    this.#state = applyPatch(this.#state, patch);
    this.#last = undefined;
    this.#changed();
    return { label, nodes: nodesIn(patch), sight };
  }

  /** The next command becomes an edit of its own, however soon it follows. */
  endMerge(): void {
    this.#last = undefined;
  }

  toDefinition(): unknown {
    return definitionOf(this.#state);
  }

  edits(): Edits {
    return {
      undo: this.#undo,
      redo: this.#redo,
      nodeKeys: [...this.#state.nodes.keys()],
      edgeKeys: [...this.#state.edges.keys()],
    };
  }

  #changed(): void {
    this.#history = {
      undo: this.#undo.at(-1)?.label,
      redo: this.#redo.at(-1)?.label,
      revision: this.#history.revision + 1,
    };
    for (const listener of this.#listeners) listener();
  }
}

/** Opens a definition for editing. It may be any JSON. */
export const createDocument = (definition: unknown, meta?: Meta, edits?: Edits): BuilderDocument =>
  new BuilderDocument(readDefinition(definition, meta), edits);
