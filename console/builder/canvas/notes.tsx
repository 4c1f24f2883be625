import { type Node, type NodeProps, NodeResizer } from "@xyflow/react";
import { memo, useState } from "react";
import { words } from "../../messages/en-builder.ts";
import { cx } from "../../ui/cx.ts";
import { addNote, type DocumentState, type Note, notesOf, setNote } from "../document/index.ts";
import type { Scene } from "../scene.ts";
import { GRID } from "./geometry.ts";
import styles from "./notes.module.css";

/** Notes are no steps; their ids on the canvas begin with a character that ids of steps are never shown with. */
const NOTE = "\u0001";
export const isNote = (id: string): boolean => id.startsWith(NOTE);
export const noteKey = (id: string): string => NOTE + id;
export const noteId = (id: string): string => id.slice(NOTE.length);

interface NoteData extends Record<string, unknown> {
  note: Note;
  scene: Scene;
}
export type NoteNode = Node<NoteData>;

export function noteNodes(scene: Scene, state: DocumentState, selected: readonly string[]): NoteNode[] {
  const dragged = scene.getView().dragged;
  return notesOf(state).map(note => {
    const id = noteKey(note.id);
    const { x, y, width, height } = note;
    const position = dragged?.get(id) ?? { x, y };
    const isSelected = selected.includes(note.id);
    return {
      ...{ id, type: "note", position, width, height, zIndex: -1, selected: isSelected, draggable: !scene.readOnly },
      data: { note, scene },
    };
  });
}

/** Adds an empty note in the middle of what is seen. */
export function newNote(scene: Scene): void {
  const taken = new Set(notesOf(scene.doc.getState()).map(({ id }) => id));
  let n = taken.size + 1;
  while (taken.has(`note-${n}`)) n++;
  const { x, y } = scene.centre();
  const at = { x: Math.round(x / GRID) * GRID - 120, y: Math.round(y / GRID) * GRID - 60 };
  if (!scene.apply(addNote({ id: `note-${n}`, text: "", ...at, width: 240, height: 120 }))) return;
  scene.set({ notes: [`note-${n}`], nodes: [], edges: [], said: words.said.noteAdded });
}

/** Headings and lists are all of Markdown that a note draws. */
function Line({ text }: { text: string }) {
  const heading = /^#+\s+(.*)/.exec(text);
  if (heading) return <p className={styles.heading}>{heading[1]}</p>;
  const item = /^[-*]\s+(.*)/.exec(text);
  return <p className={cx(item && styles.item)}>{item ? item[1] : text || "\u00a0"}</p>;
}

export const NoteView = memo(function NoteView({ data, selected }: NodeProps<NoteNode>) {
  const { note, scene } = data;
  const [editing, setEditing] = useState(false);
  const edits = (editing || (selected && note.text === "")) && !scene.readOnly;
  return (
    // A note that is selected is edited by Enter as well: see the keys of the canvas.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={cx(styles.note, selected && styles.selected)} onDoubleClick={() => setEditing(true)}>
      <NodeResizer
        isVisible={selected && !scene.readOnly}
        minWidth={120}
        minHeight={64}
        handleClassName={styles.corner}
        lineClassName={styles.edge}
        onResizeEnd={(_event, { x, y, width, height }) => scene.apply(setNote(note.id, { x, y, width, height }))}
      />
      {edits ? (
        <textarea
          className={cx(styles.text, "nodrag nopan nowheel")}
          // The person asked for a note, or double-clicked it, to write.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          aria-label={words.note}
          placeholder={words.notePlaceholder}
          value={note.text}
          maxLength={4_000}
          onChange={event => scene.apply(setNote(note.id, { text: event.target.value }))}
          onBlur={() => setEditing(false)}
          onKeyDown={event => {
            if (event.key !== "Escape") return;
            setEditing(false);
            scene.select([]);
            scene.focus();
          }}
        />
      ) : (
        <div className={styles.lines}>
          {note.text.split("\n").map((line, n) => (
            <Line key={n} text={line} />
          ))}
        </div>
      )}
    </div>
  );
});
