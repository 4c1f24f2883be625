import { Fragment } from "react";
import styles from "./kbd.module.css";

const isMac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);
const SHOWN: Record<string, string> = {
  mod: isMac ? "⌘" : "Ctrl",
  enter: "↵",
  shift: "⇧",
  esc: "Esc",
  arrows: "← ↑ → ↓",
};

/** Shows a shortcut such as `mod k` or `g r`. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className={styles.keys}>
      {keys.split(" ").map((key, n) => (
        <Fragment key={n}>
          <kbd className={styles.key}>{SHOWN[key] ?? key.toUpperCase()}</kbd>
        </Fragment>
      ))}
    </span>
  );
}
