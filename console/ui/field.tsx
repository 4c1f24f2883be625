import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId, useState } from "react";
import { Eye, EyeOff } from "lucide-react";
import { m } from "../messages/index.ts";
import { IconButton } from "./button.tsx";
import { cx } from "./cx.ts";
import styles from "./field.module.css";

interface FieldProps {
  label: ReactNode;
  /** Shows the label to screen readers only. */
  hideLabel?: boolean | undefined;
  hint?: ReactNode;
  error?: ReactNode;
  /** Shown at the end of the label's row. */
  aside?: ReactNode;
  className?: string | undefined;
}

interface Described {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

/** A label, a control, its hint and its fault. */
export function Field({
  label,
  hideLabel,
  hint,
  error,
  aside,
  className,
  children,
}: FieldProps & { children: (given: Described) => ReactNode }) {
  const id = useId();
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  const given: Described = {
    id,
    "aria-describedby": described || undefined,
    "aria-invalid": error ? true : undefined,
  };
  return (
    <div className={cx(styles.field, className)}>
      <div className={cx(styles.head, hideLabel && "visually-hidden")}>
        <label htmlFor={id}>{label}</label>
        {aside}
      </div>
      {children(given)}
      {error ? (
        <p className={styles.error} id={`${id}-error`} role="alert">
          {error}
        </p>
      ) : null}
      {hint ? (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}

type TextFieldProps = FieldProps & Omit<InputHTMLAttributes<HTMLInputElement>, "className">;

export function TextField({ label, hideLabel, hint, error, aside, className, ...input }: TextFieldProps) {
  return (
    <Field {...{ label, hideLabel, hint, error, aside, className }}>
      {given => <input className={styles.input} {...input} {...given} />}
    </Field>
  );
}

type AreaProps = FieldProps & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "className"> & { code?: boolean };

export function TextArea({ label, hideLabel, hint, error, aside, className, code, ...input }: AreaProps) {
  return (
    <Field {...{ label, hideLabel, hint, error, aside, className }}>
      {given => <textarea className={cx(styles.input, styles.area, code && styles.code)} {...input} {...given} />}
    </Field>
  );
}

/** A password field with a button that shows the text. For new passwords it also shows their strength. */
export function PasswordField({
  label,
  hint,
  error,
  aside,
  className,
  least,
  ...input
}: TextFieldProps & { least?: number }) {
  const [shown, setShown] = useState(false);
  const length = typeof input.value === "string" ? input.value.length : 0;
  return (
    <Field {...{ label, hint, error, aside, className }}>
      {given => (
        <>
          <div className={styles.withButton}>
            <input className={styles.input} {...input} {...given} type={shown ? "text" : "password"} />
            <IconButton
              className={styles.inside}
              size="small"
              label={shown ? m.field.hidePassword : m.field.showPassword}
              aria-pressed={shown}
              onClick={() => setShown(!shown)}
            >
              {shown ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
            </IconButton>
          </div>
          {least === undefined ? null : (
            <div className={styles.measure} aria-hidden>
              {Array.from({ length: least }, (_, n) => (
                <span key={n} data-on={n < length || undefined} />
              ))}
            </div>
          )}
        </>
      )}
    </Field>
  );
}
