import { X } from "lucide-react";
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

/** A filter with a value, which can be removed. */
export function ValueChip({
  name,
  onRemove,
  label,
  children,
}: {
  name: ReactNode;
  onRemove: () => void;
  label: string;
  children: ReactNode;
}) {
  return (
    <span className={styles.value}>
      <span className={styles.name}>{name}</span>
      <span className={styles.text}>{children}</span>
      <button type="button" className={styles.remove} aria-label={label} onClick={onRemove}>
        <X size={12} aria-hidden />
      </button>
    </span>
  );
}
