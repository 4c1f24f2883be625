import { type ReactNode, useId } from "react";
import styles from "./segmented.module.css";

interface SegmentedProps<T extends string> {
  label: ReactNode;
  hint?: ReactNode;
  value: T;
  options: readonly { value: T; label: ReactNode; icon?: ReactNode }[];
  onChange: (value: T) => void;
}

/** A few choices side by side. They are radio buttons, so arrow keys move between them. */
export function Segmented<T extends string>({ label, hint, value, options, onChange }: SegmentedProps<T>) {
  const name = useId();
  return (
    <fieldset className={styles.set}>
      <legend className={styles.legend}>{label}</legend>
      <div className={styles.options}>
        {options.map(option => (
          <label key={option.value} className={styles.option}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.icon}
            <span>{option.label}</span>
          </label>
        ))}
      </div>
      {hint ? <p className={styles.hint}>{hint}</p> : null}
    </fieldset>
  );
}
