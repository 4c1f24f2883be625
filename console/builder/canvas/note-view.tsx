import { type NodeProps, NodeResizer } from "@xyflow/react";
import { memo } from "react";
import { words } from "../../messages/en-builder.ts";
import { cx } from "../../ui/cx.ts";
import { InlineMarkdown } from "../../ui/markdown.tsx";
import { setNote } from "../document/index.ts";
import { NoteBar } from "./note-bar.tsx";
import type { NoteNode } from "./notes.ts";
import styles from "./notes.module.css";

/** A line of a note: a heading, a list item, or text. */
function Line({ text }: { text: string }) {
  const heading = /^#+\s+(.*)/.exec(text);
  const item = heading ? null : /^[-*]\s+(.*)/.exec(text);
  const said = (heading ?? item)?.[1] ?? text;
  return (
    <p className={cx(heading && styles.heading, item && styles.item)}>
      {said === "" ? "\u00a0" : <InlineMarkdown text={said} />}
    </p>
  );
}

export const NoteView = memo(function NoteView({ data, selected }: NodeProps<NoteNode>) {
  const { note, scene, writing } = data;
  const about = data.about === "" ? [] : data.about.split("\n");
  const edits = (writing || (selected && note.text === "")) && !scene.readOnly;
  const write = (on: boolean) => scene.set({ writing: on ? note.id : undefined });
  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- by keys, Enter on the canvas edits a note
    <div
      className={cx(styles.note, selected && styles.selected)}
      data-colour={note.colour}
      onDoubleClick={() => write(true)}
    >
      {selected && !scene.readOnly ? <NoteBar note={note} scene={scene} /> : null}
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
          // eslint-disable-next-line jsx-a11y/no-autofocus -- the person asked for a note, or for this one, to write
          autoFocus
          aria-label={words.note}
          placeholder={words.notePlaceholder}
          value={note.text}
          maxLength={4_000}
          onChange={event => scene.apply(setNote(note.id, { text: event.target.value }))}
          // The text of an empty note can be typed as soon as the note is selected. The first letter must not end that.
          onFocus={() => write(true)}
          onBlur={() => write(false)}
          onKeyDown={event => {
            if (event.key !== "Escape") return;
            write(false);
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
      {about.length > 0 ? <p className={styles.about}>{words.noteAbout(about)}</p> : null}
    </div>
  );
});
