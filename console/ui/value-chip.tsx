import { CircleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./chip.module.css";

/** A filter with a value and a button that removes it. */
export function ValueChip({
  name,
  onRemove,
  label,
  fault,
  children,
}: {
  name: ReactNode;
  onRemove: () => void;
  label: string;
  /** Why the filter does not apply. */
  fault?: string | undefined;
  children: ReactNode;
}) {
  return (
    <span className={styles.value} data-fault={fault === undefined ? undefined : ""} title={fault}>
      {fault === undefined ? null : <CircleAlert size={14} aria-hidden />}
      <span className={styles.name}>{name}</span>
      <span className={styles.text}>{children}</span>
      {fault === undefined ? null : <span className={styles.fault}>{fault}</span>}
      <button type="button" className={styles.remove} aria-label={label} onClick={onRemove}>
        <X size={12} aria-hidden />
      </button>
    </span>
  );
}
