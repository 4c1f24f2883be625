import { type ReactNode, useId } from "react";
import { formTexts } from "../messages/en-forms.ts";
import { Field } from "../ui/field.tsx";
import { emptyOf, fieldMessages, type FieldProps } from "./field-props.tsx";
import styles from "./form.module.css";

/** The most options that are shown at once. More become a select. */
const MAX_SHOWN = 5;

/** A frame around the options of one field. */
function Options({ children, ...props }: FieldProps & { children: ReactNode }) {
  const { label, hint, error, aside } = fieldMessages(props);
  const id = useId();
  return (
    <fieldset
      className={styles.options}
      aria-describedby={[error && `${id}-fault`, hint && `${id}-hint`].filter(Boolean).join(" ") || undefined}
    >
      <legend className={styles.legend}>
        {label} {aside}
      </legend>
      {children}
      {error ? (
        <p className={styles.fault} id={`${id}-fault`} role="alert">
          {error}
        </p>
      ) : null}
      {hint ? (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </fieldset>
  );
}

export function ChoiceField(props: FieldProps<"choice">) {
  const { field, value, onChange, required, pointer, faults } = props;
  const name = useId();
  const { options } = field;
  const chosen = options.findIndex(option => option.value === value);
  // Without a value the default applies, so there is no choice of none.
  const leavable = !required && field.initial === undefined;
  if (options.length > MAX_SHOWN || !required) {
    return (
      <Field {...fieldMessages(props)}>
        {given => (
          <select
            {...given}
            className={styles.select}
            value={chosen}
            aria-required={required}
            onChange={event => onChange(options[Number(event.target.value)]?.value ?? emptyOf(field))}
          >
            {chosen < 0 || leavable ? <option value={-1}>{required ? formTexts.choose : formTexts.none}</option> : null}
            {options.map(({ label }, n) => (
              <option key={n} value={n}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
    );
  }
  return (
    <Options {...props}>
      <div className={styles.list}>
        {options.map((option, n) => (
          <label key={n} className={styles.option}>
            <input
              type="radio"
              name={name}
              checked={n === chosen}
              onChange={() => onChange(option.value)}
              data-fault={faults.has(pointer) || undefined}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </Options>
  );
}

export function SeveralField(props: FieldProps<"several">) {
  const { field, value, onChange, required, pointer, faults } = props;
  const chosen: unknown[] = Array.isArray(value) ? value : [];
  const toggle = (option: unknown, on: boolean) => {
    // Keeps the order of the options instead of the order of the clicks.
    const next = field.options.map(one => one.value).filter(one => (one === option ? on : chosen.includes(one)));
    onChange(next.length === 0 && !required ? emptyOf(field) : next);
  };
  return (
    <Options {...props}>
      <div className={styles.list}>
        {field.options.map((option, n) => (
          <label key={n} className={styles.option}>
            <input
              type="checkbox"
              checked={chosen.includes(option.value)}
              onChange={event => toggle(option.value, event.target.checked)}
              aria-invalid={faults.has(pointer) ? true : undefined}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </Options>
  );
}
