import { Switch as Base } from "@base-ui/react/switch";
import styles from "./switch.module.css";

interface SwitchProps {
  /** The label for screen readers. */
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean | undefined;
  title?: string | undefined;
}

/** A switch whose change takes effect at once. */
export const Switch = ({ label, checked, onChange, disabled = false, title }: SwitchProps) => (
  <Base.Root
    className={styles.track}
    aria-label={label}
    checked={checked}
    disabled={disabled}
    title={title}
    onCheckedChange={onChange}
  >
    <Base.Thumb className={styles.thumb} />
  </Base.Root>
);
