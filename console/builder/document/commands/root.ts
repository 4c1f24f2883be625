import { words } from "../../../messages/en-builder.ts";
import type { Command } from "../history.ts";
import { withValueAt } from "../pointer.ts";
import { type DocumentState, isRecord, type Meta } from "../state.ts";
import type { Point } from "../state.ts";

function withRootValue(state: DocumentState, pointer: string, value: unknown): DocumentState {
  const root = isRecord(state.root) ? state.root : {};
  const next = withValueAt(root, pointer, value);
  return next === root ? state : { ...state, root: next };
}

/** Sets a value at a JSON Pointer below `settings`, as `/timeoutMs`. Settings that become empty go. */
export const setSetting = (pointer: string, value: unknown): Command => ({
  label: words.command.setting,
  merge: `settings ${pointer}`,
  apply(state) {
    const next = withRootValue(state, `/settings${pointer}`, value);
    const { settings } = isRecord(next.root) ? next.root : {};
    const empty = value === undefined && isRecord(settings) && Object.keys(settings).length === 0;
    return empty ? withRootValue(next, "/settings", undefined) : next;
  },
});

export const setMeta = (meta: Partial<Meta>): Command => ({
  label: meta.name === undefined ? words.command.description : words.command.rename(meta.name),
  merge: `meta ${Object.keys(meta).join()}`,
  apply: state =>
    Object.entries(meta).every(([key, value]) => state.meta[key as keyof Meta] === value)
      ? state
      : { ...state, meta: { ...state.meta, ...meta } },
});

/** A text on the canvas. Notes are in `notes` of the definition, which runs pass over. */
export interface Note extends Point {
  id: string;
  text: string;
  width: number;
  height: number;
  colour?: string;
}

/** The notes that can be drawn, with their place in the list of the definition. */
export function notesOf({ root }: Pick<DocumentState, "root">): (Note & { index: number })[] {
  const list = isRecord(root) && Array.isArray(root.notes) ? (root.notes as unknown[]) : [];
  return list.flatMap((note, index) => {
    if (!isRecord(note) || typeof note.id !== "string") return [];
    const number = (value: unknown, otherwise: number) => (typeof value === "number" ? value : otherwise);
    const { id, text, colour } = note;
    return [
      {
        id,
        index,
        text: typeof text === "string" ? text : "",
        x: number(note.x, 0),
        y: number(note.y, 0),
        width: number(note.width, 240),
        height: number(note.height, 120),
        ...(typeof colour === "string" && { colour }),
      },
    ];
  });
}

export const addNote = (note: Note): Command => ({
  label: words.command.addNote,
  apply(state) {
    const { notes } = isRecord(state.root) ? state.root : {};
    return withRootValue(state, "/notes", [...(Array.isArray(notes) ? (notes as unknown[]) : []), note]);
  },
});

export const setNote = (id: string, change: Partial<Omit<Note, "id">>): Command => ({
  label: words.command.setNote,
  merge: `note ${id} ${Object.keys(change).join()}`,
  apply(state) {
    const note = notesOf(state).find(each => each.id === id);
    if (!note) return state;
    return Object.entries(change).reduce(
      (at, [key, value]) => withRootValue(at, `/notes/${note.index}/${key}`, value),
      state,
    );
  },
});

export const deleteNotes = (ids: readonly string[]): Command => ({
  label: words.command.deleteNote,
  apply(state) {
    const rest = (
      isRecord(state.root) && Array.isArray(state.root.notes) ? (state.root.notes as unknown[]) : []
    ).filter(note => !(isRecord(note) && ids.includes(note.id as string)));
    return withRootValue(state, "/notes", rest.length === 0 ? undefined : rest);
  },
});
