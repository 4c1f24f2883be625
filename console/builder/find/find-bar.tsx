import { X } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { words } from "../../messages/en-builder.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { useDocument } from "../document/index.ts";
import type { Scene } from "../scene.ts";
import styles from "./find.module.css";
import { find, type Hit, placeOf, replaceIn } from "./find.ts";

const AROUND = 24;

function Excerpt({ hit, length }: { hit: Hit; length: number }) {
  const from = Math.max(0, hit.at - AROUND);
  return (
    <span className={styles.excerpt}>
      {from > 0 ? "…" : ""}
      {hit.text.slice(from, hit.at)}
      <mark>{hit.text.slice(hit.at, hit.at + length)}</mark>
      {hit.text.slice(hit.at + length, hit.at + length + 2 * AROUND)}
    </span>
  );
}

/** Finds a text in all steps. Enter goes to the next place. Replacing all places is one edit. */
export function FindBar({ scene, onClose }: { scene: Scene; onClose: () => void }) {
  const state = useDocument(scene.doc);
  const [text, setText] = useState("");
  const [by, setBy] = useState("");
  const [at, setAt] = useState(-1);
  const field = useRef<HTMLInputElement>(null);
  const hits = useMemo(() => find(state, text), [state, text]);
  const replaceable = hits.filter(({ pointer }) => pointer !== "").length;
  useEffect(() => field.current?.focus(), []);
  const go = (to: number) => {
    if (hits.length === 0) return;
    const next = (to + hits.length) % hits.length;
    setAt(next);
    scene.select([hits[next]!.id]);
    scene.say(placeOf(state, hits[next]!));
  };
  const onKey = (event: KeyboardEvent) => {
    // A second press opens the search of the browser.
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "f") return event.stopPropagation();
    if (event.key === "Escape") {
      onClose();
      scene.focus();
    } else if (event.key === "Enter") go(at + (event.shiftKey ? -1 : 1));
    else return;
    event.preventDefault();
  };
  return (
    <section className={styles.find} aria-label={words.finds.title}>
      <div className={styles.row}>
        <input
          ref={field}
          className={styles.input}
          aria-label={words.finds.find}
          placeholder={words.finds.find}
          value={text}
          onChange={event => {
            setText(event.target.value);
            setAt(-1);
          }}
          onKeyDown={onKey}
        />
        <span className={styles.count} role="status">
          {text === "" ? "" : hits.length === 0 ? words.finds.none : words.finds.count(hits.length)}
        </span>
        <IconButton label={words.close} size="small" onClick={onClose}>
          <X size={14} aria-hidden />
        </IconButton>
      </div>
      {scene.readOnly ? null : (
        <div className={styles.row}>
          <input
            className={styles.input}
            aria-label={words.finds.replace}
            placeholder={words.finds.replace}
            value={by}
            onChange={event => setBy(event.target.value)}
            onKeyDown={event => event.key === "Escape" && onKey(event)}
          />
          <Button
            size="small"
            disabled={replaceable === 0}
            onClick={() => {
              const command = replaceIn(hits, text, by);
              if (scene.apply(command)) scene.say(words.said.done(command.label));
              // The button may become disabled, so the focus moves to the field.
              field.current?.focus();
            }}
          >
            {words.finds.act(replaceable)}
          </Button>
        </div>
      )}
      {hits.length > 0 ? (
        <ul className={styles.hits}>
          {hits.map((hit, n) => (
            <li key={`${hit.id} ${hit.pointer}`}>
              <button type="button" className={styles.hit} aria-current={n === at || undefined} onClick={() => go(n)}>
                <span className={styles.place}>{placeOf(state, hit)}</span>
                <Excerpt hit={hit} length={text.length} />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
