import type { ReactNode } from "react";
import styles from "./chip.module.css";

/** A filter that is on or off. */
export function Chip({ on, onToggle, children }: { on: boolean; onToggle: () => void; children: ReactNode }) {
  return (
    <button type="button" className={styles.chip} aria-pressed={on} onClick={onToggle}>
      {children}
    </button>
  );
}
