import { Plus, X } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { formTexts } from "../messages/en-forms.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { emptyOf, type FieldComponent, type FieldProps } from "./field-props.tsx";
import styles from "./form.module.css";
import { labelOf } from "./schema.ts";
import { initialOf, memberOf, pointerPart, withMember } from "./values.ts";

/** A named frame around fields that belong together. */
function Group({ field, label, required, pointer, faults, children }: FieldProps & { children: ReactNode }) {
  const id = useId();
  const fault = faults.get(pointer);
  return (
    <fieldset className={styles.group} aria-describedby={field.description ? id : undefined}>
      <legend>
        {label} {required ? null : <span className={styles.optional}>{formTexts.optional}</span>}
      </legend>
      {field.description ? (
        <p className={styles.hint} id={id}>
          {field.description}
        </p>
      ) : null}
      {children}
      {fault ? (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      ) : null}
    </fieldset>
  );
}

/** The fields of an object, one below the other. */
export function ObjectFields({
  field,
  value,
  onChange,
  pointer,
  faults,
  Part,
}: FieldProps<"object"> & { Part: FieldComponent }) {
  return (
    <div className={styles.fields}>
      {field.properties.map(({ name, required, field: part }) => (
        <Part
          key={name}
          field={part}
          label={part.title ?? labelOf(name)}
          required={required}
          value={memberOf(value, name)}
          onChange={next => onChange(withMember(value, name, next))}
          pointer={pointer + pointerPart(name)}
          faults={faults}
        />
      ))}
    </div>
  );
}

export function ObjectField(props: FieldProps<"object"> & { Part: FieldComponent }) {
  return (
    <Group {...props}>
      <ObjectFields {...props} />
    </Group>
  );
}

export function ListField({ Part, ...props }: FieldProps<"list"> & { Part: FieldComponent }) {
  const { field, label, value, onChange, required, pointer, faults } = props;
  const items: unknown[] = Array.isArray(value) ? value : [];
  // Items have no names. Each gets a key when it is added, and keeps it when an earlier item is removed.
  const [keys, setKeys] = useState(() => items.map(() => crypto.getRandomValues(new Uint32Array(1))[0]!));
  const keyAt = (n: number) => keys[n] ?? `new-${n}`;
  const set = (next: unknown[]) => onChange(next.length === 0 && !required ? emptyOf(field) : next);
  const add = () => {
    setKeys([...items.map((_, n) => keys[n] ?? n), crypto.getRandomValues(new Uint32Array(1))[0]!]);
    // Adds an empty item. JSON lists hold null for it.
    set([...items, initialOf(field.item) ?? null]);
  };
  const remove = (n: number) => {
    setKeys(keys.filter((_, at) => at !== n));
    set(items.filter((_, at) => at !== n));
  };
  const full = field.max !== undefined && items.length >= field.max;
  return (
    <Group {...props}>
      {items.length > 0 ? (
        <ol className={styles.items}>
          {items.map((item, n) => (
            <li key={keyAt(n)} className={styles.item}>
              <Part
                field={field.item}
                label={field.item.title ?? formTexts.item(n + 1)}
                required
                value={item ?? undefined}
                onChange={next => set(items.map((former, at) => (at === n ? (next ?? null) : former)))}
                pointer={pointer + pointerPart(n)}
                faults={faults}
              />
              <IconButton
                className={styles.remove}
                label={formTexts.remove(formTexts.item(n + 1))}
                onClick={() => remove(n)}
              >
                <X size={16} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ol>
      ) : null}
      <Button
        className={styles.add}
        icon={<Plus size={14} aria-hidden />}
        aria-label={formTexts.addTo(formTexts.add, label)}
        disabled={full}
        onClick={add}
      >
        {formTexts.add}
      </Button>
    </Group>
  );
}
