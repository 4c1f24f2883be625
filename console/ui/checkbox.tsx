import styles from "./checkbox.module.css";

interface CheckboxProps {
  label: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

/** A checkbox that selects a row. Only screen readers get its label. */
export const Checkbox = ({ label, checked, disabled, onChange }: CheckboxProps) => (
  <span className={styles.box}>
    <input
      type="checkbox"
      aria-label={label}
      checked={checked}
      disabled={disabled}
      onChange={event => onChange(event.target.checked)}
    />
  </span>
);
