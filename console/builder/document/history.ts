import type { Patch } from "./patch.ts";
import type { DocumentState } from "./state.ts";

/** An edit. Commands with the same `merge` that follow each other within MERGE_MS become one edit. */
export interface Command {
  /** Describes the edit in words: `insert "Check stock"`. */
  label: string;
  merge?: string;
  apply(state: DocumentState): DocumentState;
}

/** Combines several commands into one edit. */
export const combinedCommand = (label: string, commands: readonly Command[]): Command => ({
  label,
  apply: state => commands.reduce((at, command) => command.apply(at), state),
});

/** What a user saw of a document. */
export interface ViewSnapshot {
  nodes: readonly string[];
  /** The container that filled the canvas. */
  opened?: string | undefined;
  /** The position and zoom of the canvas. Undefined if no canvas was shown, as in the outline. */
  at?: { x: number; y: number; zoom: number } | undefined;
}

export interface Entry {
  label: string;
  patch: Patch;
  /** The view when the edit was made. Drafts of earlier versions lack it. */
  before?: ViewSnapshot | undefined;
  /** The view when the edit was undone. */
  after?: ViewSnapshot | undefined;
}

/** The labels of the next undo and redo. */
export interface History {
  undo: string | undefined;
  redo: string | undefined;
  /** Increases with each change of the document. */
  revision: number;
}

/** The most edits that can be undone. */
export const MAX_UNDO = 500;
/** Typing with shorter pauses than this is one edit. */
export const MERGE_MS = 800;
