import { useId, useState } from "react";
import { formTexts } from "../messages/en-forms.ts";
import { TextArea, TextField } from "../ui/field.tsx";
import { localDateTime, momentOf } from "./date-time.ts";
import { emptyOf, fieldMessages, type FieldProps } from "./field-props.tsx";
import styles from "./form.module.css";
import type { TextInput } from "./schema.ts";
import { unreadable, unreadableText } from "./values.ts";

const TYPES: Partial<Record<TextInput, string>> = {
  email: "email",
  url: "url",
  date: "date",
  datetime: "datetime-local",
  password: "password",
};

export function TextValueField(props: FieldProps<"text">) {
  const { field, value, onChange, required } = props;
  const text = typeof value === "string" ? value : "";
  const set = (next: string) => onChange(next === "" ? emptyOf(field) : next);
  const shared = { ...fieldMessages(props), "aria-required": required };
  if (field.input === "multiline") {
    return <TextArea {...shared} rows={4} value={text} onChange={event => set(event.target.value)} />;
  }
  const isTime = field.input === "datetime";
  return (
    <TextField
      {...shared}
      type={TYPES[field.input] ?? "text"}
      // Otherwise browsers fill in the user's own password for this page.
      autoComplete={field.input === "email" ? "email" : field.input === "password" ? "new-password" : "off"}
      value={isTime ? localDateTime(value) : text}
      onChange={({ target }) => set(isTime ? (momentOf(target.value) ?? "") : target.value)}
    />
  );
}

export function NumberField(props: FieldProps<"number">) {
  const { field, value, onChange, required } = props;
  const set = ({ value: text, validity }: HTMLInputElement) => {
    // Browsers report an invalid number as empty. The check must still find it.
    if (validity.badInput) return onChange(unreadable(""));
    onChange(text === "" ? emptyOf(field) : Number(text));
  };
  return (
    <TextField
      {...fieldMessages(props)}
      type="number"
      inputMode={field.integer && (field.min ?? -1) >= 0 ? "numeric" : "decimal"}
      step={field.integer ? 1 : "any"}
      autoComplete="off"
      aria-required={required}
      value={typeof value === "number" ? value : ""}
      onChange={event => set(event.target)}
      // The wheel must scroll the page without changing the number.
      onWheel={event => event.currentTarget.blur()}
    />
  );
}

export function BooleanField(props: FieldProps<"boolean">) {
  const { label, value, onChange, pointer, faults } = props;
  const id = useId();
  const fault = faults.get(pointer);
  const { hint } = fieldMessages(props);
  const said = [hint ? `${id}-hint` : "", fault ? `${id}-fault` : ""].filter(Boolean).join(" ");
  return (
    <div className={styles.boolean}>
      <label className={styles.option}>
        <input
          type="checkbox"
          checked={value === true}
          onChange={event => onChange(event.target.checked)}
          aria-describedby={said || undefined}
          aria-invalid={fault ? true : undefined}
        />
        <span>{label}</span>
      </label>
      {fault ? (
        <p className={styles.fault} id={`${id}-fault`} role="alert">
          {fault}
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

const asText = (value: unknown) => unreadableText(value) ?? (value === undefined ? "" : JSON.stringify(value, null, 2));

/** A text area for JSON, for schemas without controls of their own. */
export function JsonField(props: FieldProps<"json">) {
  const { value, onChange, required } = props;
  const [text, setText] = useState(() => asText(value));
  const set = (next: string) => {
    setText(next);
    if (next.trim() === "") return onChange(undefined);
    try {
      onChange(JSON.parse(next));
    } catch {
      onChange(unreadable(next));
    }
  };
  const words = fieldMessages(props);
  return (
    <TextArea
      {...words}
      aside={
        <span className={styles.optional}>
          {formTexts.json}
          {required ? null : `, ${formTexts.optional}`}
        </span>
      }
      code
      rows={6}
      spellCheck={false}
      autoCapitalize="off"
      autoComplete="off"
      aria-required={required}
      value={text}
      onChange={event => set(event.target.value)}
    />
  );
}
