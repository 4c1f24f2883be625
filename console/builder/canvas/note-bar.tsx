import { NodeToolbar, Position } from "@xyflow/react";
import { BringToFront, SendToBack, Trash2, Unlink } from "lucide-react";
import { words } from "../../messages/en-builder.ts";
import { IconButton } from "../../ui/button.tsx";
import { removeSelected } from "../actions.ts";
import { type Note, setNote, tieNote } from "../document/index.ts";
import type { Scene } from "../scene.ts";
import canvas from "./canvas.module.css";
import styles from "./notes.module.css";

/** The colours of a note, as names of the page's colours. A note without a colour is yellow. */
const COLOURS = ["weld", "lichen", "woad", "madder", "plain"] as const;

/** The bar above a note with its actions. */
export function NoteBar({ note, scene }: { note: Note; scene: Scene }) {
  const colour = note.colour ?? COLOURS[0];
  return (
    <NodeToolbar isVisible position={Position.Top} offset={8} className={canvas.bar}>
      <span role="group" aria-label={words.noteColour} className={styles.colours}>
        {COLOURS.map(one => (
          <button
            key={one}
            type="button"
            className={styles.swatch}
            data-colour={one}
            aria-label={words.noteColours[one]}
            aria-pressed={one === colour}
            onClick={() => scene.apply(setNote(note.id, { colour: one === COLOURS[0] ? undefined : one }))}
          />
        ))}
      </span>
      <IconButton
        size="small"
        label={note.front ? words.noteBehind : words.noteFront}
        title={note.front ? words.noteBehind : words.noteFront}
        onClick={() => scene.apply(setNote(note.id, { front: note.front ? undefined : true }))}
      >
        {note.front ? <SendToBack size={14} aria-hidden /> : <BringToFront size={14} aria-hidden />}
      </IconButton>
      {note.steps ? (
        <IconButton
          size="small"
          label={words.untie}
          title={words.untie}
          onClick={() => scene.apply(tieNote(note.id, []))}
        >
          <Unlink size={14} aria-hidden />
        </IconButton>
      ) : null}
      <IconButton size="small" label={words.remove} onClick={() => removeSelected(scene)}>
        <Trash2 size={14} aria-hidden />
      </IconButton>
    </NodeToolbar>
  );
}
