import type { Node } from "@xyflow/react";
import { words } from "../../messages/en-builder.ts";
import { addNote, type DocumentState, nameOf, type Note, notesOf, placeOnCanvas, isWithin } from "../document/index.ts";
import { openedIn } from "../opened-container.ts";
import type { Scene } from "../scene.ts";
import { GRID, onGrid } from "./geometry.ts";

/** Prefixes the ids of notes on the canvas, to tell them from steps. Ids of steps never start with this character. */
const NOTE = "\u0001";
export const isNote = (id: string): boolean => id.startsWith(NOTE);
export const noteKey = (id: string): string => NOTE + id;
export const noteId = (id: string): string => id.slice(NOTE.length);

interface NoteData extends Record<string, unknown> {
  note: Note;
  scene: Scene;
  /** The names of the steps that it is tied to, one per line. */
  about: string;
  /** Whether its text is being edited. */
  writing: boolean;
}
export type NoteNode = Node<NoteData>;

const aboutOf = (state: DocumentState, { steps = [] }: Note) =>
  steps
    .filter(id => state.nodes.has(id))
    .map(id => nameOf(state, id))
    .join("\n");

/** How far a step has been dragged from its place in the definition. */
function draggedBy(scene: Scene, state: DocumentState, step: string): { x: number; y: number } {
  const now = scene.boxes().absolute.get(step);
  const before = placeOnCanvas(state, step);
  return now && before ? { x: now.x - before.x, y: now.y - before.y } : { x: 0, y: 0 };
}

export function noteNodes(scene: Scene, state: DocumentState, selected: readonly string[]): NoteNode[] {
  const { dragged, writing } = scene.getView();
  const opened = openedIn(scene);
  const isShown = ({ steps = [] }: Note) => opened === undefined || steps.some(id => isWithin(state, id, opened));
  return notesOf(state)
    .filter(isShown)
    .map(note => {
      const id = noteKey(note.id);
      const { width, height } = note;
      const zIndex = note.front ? 1 : -1;
      const tied = note.steps?.[0];
      const by = dragged && tied !== undefined ? draggedBy(scene, state, tied) : { x: 0, y: 0 };
      const position = dragged?.get(id) ?? { x: note.x + by.x, y: note.y + by.y };
      const isSelected = selected.includes(note.id);
      return {
        ...{ id, type: "note", position, width, height, zIndex, selected: isSelected, draggable: !scene.readOnly },
        data: { note, scene, about: aboutOf(state, note), writing: writing === note.id },
      };
    });
}

const SIZE = { width: 240, height: 120 };

/**
 * Adds an empty note. With selected steps, the note appears above them and is tied to them. Otherwise it appears in the
 * middle of the view.
 */
export function newNote(scene: Scene): void {
  const state = scene.doc.getState();
  const taken = new Set(notesOf(state).map(({ id }) => id));
  let n = taken.size + 1;
  while (taken.has(`note-${n}`)) n++;
  const steps = scene.getView().nodes;
  const box = steps[0] === undefined ? undefined : scene.boxes().absolute.get(steps[0]);
  const { x, y } = box ? { x: box.x, y: box.y - SIZE.height - 3 * GRID } : onGrid(scene.centre());
  const place = box ? { x, y } : { x: x - SIZE.width / 2, y: y - SIZE.height / 2 };
  const note = { id: `note-${n}`, text: "", ...place, ...SIZE, ...(box && { steps }) };
  if (!scene.apply(addNote(note))) return;
  scene.set({ notes: [note.id], nodes: [], edges: [], announcement: words.said.noteAdded });
}
