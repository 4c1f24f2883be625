import { jsonOf } from "../data/json-text.ts";
import styles from "./question.module.css";

/** A first line of more characters is a text instead of a heading. */
const LONG = 160;

/** Splits a text at its first line break. */
const parts = /^\s*([^\n]*)\n?([^]*)$/;

/** The text of a question: the first line as a heading, the rest as text, or as JSON if it is valid JSON. */
export function Prompt({ heading: Heading, text }: { heading: "h1" | "h2"; text: string }) {
  const [, first = text, rest = ""] = parts.exec(text) ?? [];
  const isJson = /^[{[]/.test(rest.trim()) && jsonOf(rest) !== undefined;
  return (
    <>
      <Heading className={styles.prompt} data-long={first.length > LONG || undefined}>
        {first}
      </Heading>
      {rest.trim() === "" ? null : isJson ? (
        <pre className={styles.given}>{rest.trim()}</pre>
      ) : (
        <p className={styles.rest}>{rest.trim()}</p>
      )}
    </>
  );
}
