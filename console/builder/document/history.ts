import type { Patch } from "./patch.ts";
import type { DocumentState } from "./state.ts";

/** An edit. Commands with the same `merge` that follow one another within MERGE_MS are one step of the history. */
export interface Command {
  /** What it does, in words: `insert "Check stock"`. */
  label: string;
  merge?: string;
  apply(state: DocumentState): DocumentState;
}

/** Several edits as one step of the history. */
export const together = (label: string, commands: readonly Command[]): Command => ({
  label,
  apply: state => commands.reduce((at, command) => command.apply(at), state),
});

/** What a person saw of a document. */
export interface Sight {
  nodes: readonly string[];
  /** The container that had the whole canvas. */
  opened?: string | undefined;
  /** Where the canvas was, and its zoom. Undefined where there was none, as in the outline. */
  at?: { x: number; y: number; zoom: number } | undefined;
}

export interface Entry {
  label: string;
  patch: Patch;
  /** What was seen when the edit was made; earlier versions did not keep it. */
  before?: Sight | undefined;
  /** What was seen when it was undone. */
  after?: Sight | undefined;
}

/** What can be undone and done again, by its words. */
export interface History {
  undo: string | undefined;
  redo: string | undefined;
  /** Goes up with each change of the document. */
  revision: number;
}

/** The most edits that can be undone. */
export const MAX_UNDO = 500;
/** Typing that pauses for less than this is one edit. */
export const MERGE_MS = 800;
