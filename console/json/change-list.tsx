import type { Change } from "../data/compare.ts";
import { comparison as words } from "../messages/en-comparison.ts";
import { cx } from "../ui/cx.ts";
import styles from "./change-list.module.css";

const MAX_TEXT = 300;
const SIGNS = { add: "+", remove: "−", replace: "≠" } as const;

function textOf(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

/** Lists the values that differ, with their paths and both values. */
export function ChangeList({ changes, label }: { changes: readonly Change[]; label: string }) {
  const sorted = changes.toSorted((a, b) => a.path.localeCompare(b.path, "en", { numeric: true }));
  return (
    <ul className={styles.list} aria-label={label}>
      {sorted.map(({ op, path, from, to }) => (
        <li key={`${op} ${path}`} className={styles.change}>
          <span className={cx(styles.sign, styles[op])} aria-hidden>
            {SIGNS[op]}
          </span>
          <span className="visually-hidden">{words.op[op]}</span>
          {path === "" ? (
            <span className={styles.whole}>{words.whole}</span>
          ) : (
            <code className={styles.path}>{path}</code>
          )}
          <span className={styles.values}>
            {op === "add" ? null : <del className={styles.from}>{textOf(from)}</del>}
            {op === "replace" ? <span aria-hidden>→</span> : null}
            {op === "remove" ? null : <ins className={styles.to}>{textOf(to)}</ins>}
          </span>
        </li>
      ))}
    </ul>
  );
}
