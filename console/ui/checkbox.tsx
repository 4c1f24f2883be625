import styles from "./checkbox.module.css";

interface CheckboxProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A box to mark a row, with its label for screen readers. */
export const Checkbox = ({ label, checked, onChange }: CheckboxProps) => (
  <span className={styles.box}>
    <input type="checkbox" aria-label={label} checked={checked} onChange={event => onChange(event.target.checked)} />
  </span>
);
