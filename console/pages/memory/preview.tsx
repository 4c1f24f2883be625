import type { IngestPreview } from "../../data/memory.ts";
import { words } from "../../messages/en-memory.ts";
import { Notice } from "../../ui/states.tsx";
import styles from "./memory.module.css";

/** What ingesting a text would store: its statements and their sources, what they supersede, and what is left out. */
export function Preview({ preview: { memories, skipped, extraction } }: { preview: IngestPreview }) {
  return (
    <>
      <p role="status">{memories.length === 0 ? words.nothingNew : words.wouldRemember(memories.length)}</p>
      {memories.length > 0 ? (
        <ul className={styles.made} aria-label={words.previewed}>
          {memories.map(({ content, span, factType, supersedes }) => (
            <li key={content}>
              {content}
              <span className={styles.hint}> {words.kinds[factType] ?? factType}</span>
              <p className={styles.hint}>
                {words.words} <q className={styles.quoted}>{span.text}</q>
              </p>
              {supersedes.map(former => (
                <p key={former.id} className={styles.hint}>
                  {words.wouldSupersede} <s>{former.content}</s>
                </p>
              ))}
            </li>
          ))}
        </ul>
      ) : null}
      {skipped.length > 0 ? (
        <>
          <h3 className={styles.heading}>{words.leftOut}</h3>
          <ul className={styles.made}>
            {skipped.map(({ content, span }) => (
              <li key={`${span.start} ${content}`}>{content}</li>
            ))}
          </ul>
        </>
      ) : null}
      <p className={styles.hint}>{words.by(extraction.by)}</p>
      {extraction.fallback ? <Notice tone="warn">{words.fallback(extraction.fallback)}</Notice> : null}
    </>
  );
}
