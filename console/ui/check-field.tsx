import { useId } from "react";
import styles from "./check-field.module.css";

interface CheckFieldProps {
  label: string;
  hint?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A checkbox in a form, with its label beside it. */
export function CheckField({ label, hint, checked, onChange }: CheckFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label}>
        <input
          type="checkbox"
          checked={checked}
          aria-describedby={hint ? id : undefined}
          onChange={event => onChange(event.target.checked)}
        />
        {label}
      </label>
      {hint ? (
        <p id={id} className={styles.hint}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}
