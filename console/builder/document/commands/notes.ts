import { isRecord } from "../../../data/json.ts";
import { words } from "../../../messages/en-builder.ts";
import type { Command } from "../history.ts";
import { type DocumentState, parentOf, type Point, positionOf } from "../state.ts";
import { withRootValue } from "./root.ts";

/** A text on the canvas. Notes are stored in `notes` of the definition, which runs ignore. */
export interface Note extends Point {
  id: string;
  text: string;
  width: number;
  height: number;
  colour?: string;
  /** The steps that it is about. It moves with the first one. */
  steps?: readonly string[];
  /** Whether it lies in front of the steps instead of behind them. */
  front?: boolean;
}

/** The notes that can be drawn, with their index in the definition. */
export function notesOf({ root }: Pick<DocumentState, "root">): (Note & { index: number })[] {
  const list = isRecord(root) && Array.isArray(root.notes) ? (root.notes as unknown[]) : [];
  return list.flatMap((note, index) => {
    if (!isRecord(note) || typeof note.id !== "string") return [];
    const number = (value: unknown, otherwise: number) => (typeof value === "number" ? value : otherwise);
    const { id, text, colour, steps, front } = note;
    const tied = Array.isArray(steps) ? steps.filter(one => typeof one === "string") : [];
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
        ...(tied.length > 0 && { steps: tied }),
        ...(front === true && { front }),
      },
    ];
  });
}

export const addNote = (note: Note): Command => ({
  label: words.command.addNote,
  apply: state => withNotes(state, [note]),
});

export const setNote = (id: string, change: { [K in keyof Omit<Note, "id">]?: Note[K] | undefined }): Command => ({
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

/** Adds notes to a state. A note whose id is taken gets another one. */
export function withNotes(state: DocumentState, more: readonly Note[]): DocumentState {
  if (more.length === 0) return state;
  const { notes } = isRecord(state.root) ? state.root : {};
  const taken = new Set(notesOf(state).map(({ id }) => id));
  const named = more.map(note => {
    let { id } = note;
    for (let n = taken.size + 1; taken.has(id); n++) id = `note-${n}`;
    taken.add(id);
    return id === note.id ? note : { ...note, id };
  });
  return withRootValue(state, "/notes", [...(Array.isArray(notes) ? (notes as unknown[]) : []), ...named]);
}

/** Notes for copied steps: moved by the same distance, and tied to the copies. */
export const movedNotes = (notes: readonly Note[], by: Point, ids: ReadonlyMap<string, string>): Note[] =>
  notes.map(({ steps, ...note }) => {
    const tied = (steps ?? []).flatMap(id => ids.get(id) ?? []);
    return { ...note, x: note.x + by.x, y: note.y + by.y, ...(tied.length > 0 && { steps: tied }) };
  });

/** Ties a note to steps, so that it moves with the first one. An empty list unties it. */
export const tieNote = (id: string, steps: readonly string[]): Command => ({
  ...setNote(id, { steps: steps.length === 0 ? undefined : steps }),
  label: steps.length === 0 ? words.command.untieNote : words.command.tieNote,
});

/** The place of a step on the canvas. Undefined if the step or a container around it has no place in the definition. */
export function placeOnCanvas(state: DocumentState, id: string): Point | undefined {
  let at: Point = { x: 0, y: 0 };
  const seen = new Set<string>();
  for (let each: string | undefined = id; each !== undefined && !seen.has(each);) {
    seen.add(each);
    const node = state.nodes.get(each);
    const own = positionOf(node);
    if (!own) return undefined;
    at = { x: at.x + own.x, y: at.y + own.y };
    each = parentOf(node);
  }
  return at;
}

/** Moves notes by the same distance as the steps that they are tied to. */
export function withTiedNotes(before: DocumentState, after: DocumentState): DocumentState {
  return notesOf(after).reduce((at, { index, x, y, steps: [step] = [] }) => {
    const [from, to] = step === undefined ? [] : [placeOnCanvas(before, step), placeOnCanvas(after, step)];
    if (!from || !to || (from.x === to.x && from.y === to.y)) return at;
    const moved = withRootValue(at, `/notes/${index}/x`, x + to.x - from.x);
    return withRootValue(moved, `/notes/${index}/y`, y + to.y - from.y);
  }, after);
}

/** Updates the notes of a state after a step got a new id. */
export const withRenamedTies = (state: DocumentState, from: string, to: string): DocumentState =>
  notesOf(state).reduce(
    (at, { index, steps }) =>
      steps?.includes(from)
        ? withRootValue(
            at,
            `/notes/${index}/steps`,
            steps.map(id => (id === from ? to : id)),
          )
        : at,
    state,
  );
