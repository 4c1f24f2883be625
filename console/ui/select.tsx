import { Select as Base } from "@base-ui/react/select";
import { Check, ChevronsUpDown } from "lucide-react";
import type { ReactNode } from "react";
import { Field } from "./field.tsx";
import styles from "./select.module.css";

export interface Option<T extends string> {
  value: T;
  label: ReactNode;
  /** What the option means, shown below its name. */
  detail?: string;
}

interface SelectProps<T extends string> {
  label: ReactNode;
  hideLabel?: boolean;
  hint?: ReactNode;
  error?: ReactNode;
  /** Shown while nothing is chosen. Without it, the empty value is an option like the others. */
  placeholder?: string;
  value: T | "";
  options: readonly Option<T>[];
  onChange: (value: T) => void;
  className?: string;
}

export function Select<T extends string>({
  label,
  hideLabel,
  hint,
  error,
  placeholder,
  value,
  options,
  onChange,
  className,
}: SelectProps<T>) {
  return (
    <Field {...{ label, hideLabel, hint, error, className }}>
      {({ id, ...described }) => (
        <Base.Root
          id={id}
          value={placeholder !== undefined && value === "" ? null : (value as T)}
          items={[...options]}
          onValueChange={next => next !== null && onChange(next)}
        >
          <Base.Trigger className={styles.trigger} {...described}>
            <Base.Value className={styles.value} placeholder={placeholder} />
            <Base.Icon className={styles.icon}>
              <ChevronsUpDown size={14} aria-hidden />
            </Base.Icon>
          </Base.Trigger>
          <Base.Portal>
            <Base.Positioner className={styles.positioner} sideOffset={4} alignItemWithTrigger={false}>
              <Base.Popup className={styles.popup}>
                <Base.List>
                  {options.map(option => (
                    <Base.Item key={option.value} value={option.value} className={styles.item}>
                      <Base.ItemIndicator className={styles.indicator} keepMounted>
                        <Check size={14} aria-hidden />
                      </Base.ItemIndicator>
                      <Base.ItemText>{option.label}</Base.ItemText>
                      {option.detail ? <span className={styles.detail}>{option.detail}</span> : null}
                    </Base.Item>
                  ))}
                </Base.List>
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        </Base.Root>
      )}
    </Field>
  );
}
