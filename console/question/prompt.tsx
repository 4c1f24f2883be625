import { jsonOf } from "../data/json-text.ts";
import styles from "./question.module.css";

/** A text up to its first line break, and what follows. */
const parts = /^\s*([^\n]*)\n?([^]*)$/;

/** What a question asks: its first line as heading, and what follows as text, or as JSON where it is such. */
export function Prompt({ heading: Heading, text }: { heading: "h1" | "h2"; text: string }) {
  const [, first = text, rest = ""] = parts.exec(text) ?? [];
  const isJson = /^[{[]/.test(rest.trim()) && jsonOf(rest) !== undefined;
  return (
    <>
      <Heading className={styles.prompt}>{first}</Heading>
      {rest.trim() === "" ? null : isJson ? (
        <pre className={styles.given}>{rest.trim()}</pre>
      ) : (
        <p className={styles.rest}>{rest.trim()}</p>
      )}
    </>
  );
}
