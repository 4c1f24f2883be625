import { X } from "lucide-react";
import type { ReactNode, Ref } from "react";
import { m } from "../messages/index.ts";
import { IconButton } from "./button.tsx";
import { cx } from "./cx.ts";
import styles from "./search-field.module.css";

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  icon: ReactNode;
  className?: string | undefined;
  ref?: Ref<HTMLInputElement>;
}

export function SearchField({ label, value, onChange, icon, className, ref }: SearchFieldProps) {
  return (
    <div className={cx(styles.search, className)}>
      {icon}
      <input
        ref={ref}
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        maxLength={200}
        onChange={event => onChange(event.target.value)}
        onKeyDown={event => {
          if (event.key !== "Escape") return;
          if (value === "") event.currentTarget.blur();
          else onChange("");
        }}
      />
      {value === "" ? null : (
        <IconButton
          label={m.clear}
          size="small"
          className={styles.clear}
          onClick={({ currentTarget }) => {
            // The button leaves the page, so the field takes the focus.
            currentTarget.parentElement?.querySelector("input")?.focus();
            onChange("");
          }}
        >
          <X size={14} aria-hidden />
        </IconButton>
      )}
    </div>
  );
}
