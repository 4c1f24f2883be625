import { memo } from "react";
import styles from "./editor.module.css";
import { type Language, tokensOf } from "./tokens.ts";

/** Longer text is cut while it is not edited. */
const MAX_SHOWN = 5_000;

/** Text with the colours of its language, without an editor. */
export const StaticText = memo(function StaticText({ text, language }: { text: string; language: Language }) {
  const shown = text.slice(0, MAX_SHOWN);
  const { tokens } = tokensOf(shown, language);
  let at = 0;
  return (
    <>
      {tokens.map(({ from, to, kind }) => {
        const gap = shown.slice(at, from);
        at = to;
        const piece = shown.slice(from, to);
        return kind === null
          ? gap + piece
          : [
              gap,
              <span key={from} className={styles[kind]}>
                {piece}
              </span>,
            ];
      })}
      {shown.slice(at)}
      {text.length > MAX_SHOWN ? "…" : null}
    </>
  );
});
