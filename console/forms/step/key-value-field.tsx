import { useState } from "react";
import { isRecord } from "../../data/json.ts";
import { words } from "../../messages/en-inspector.ts";
import { formTexts } from "../../messages/en-forms.ts";
import { memberOf, pointerPart } from "../values.ts";
import { type StepFieldProps, useStepForm } from "./context.ts";
import { JsonField } from "./json-field.tsx";
import { hintsOf } from "./model.ts";
import { RemoveRow, RowsFrame } from "./rows-frame.tsx";
import styles from "./step.module.css";
import { Switchable } from "./switchable.tsx";
import { TextField } from "./text-field.tsx";

const isLine = (value: unknown) => value === null || ["string", "number", "boolean"].includes(typeof value);
const newKey = () => crypto.getRandomValues(new Uint32Array(1))[0]!;

interface Row {
  key: number;
  /** The name as the user typed it. An empty or repeated name is not part of the object yet. */
  name: string;
}

/** The rows of an object. Rows without a name are kept. */
function useRows(names: readonly string[]): [Row[], (rows: Row[]) => void] {
  const [rows, setRows] = useState<Row[]>(() => names.map(name => ({ key: newKey(), name })));
  const kept = rows.filter(({ name }, n) => !rows.slice(0, n).some(one => one.name === name) && names.includes(name));
  const changed = kept.map(({ name }) => name).join("\0") !== names.join("\0");
  if (!changed) return [rows, setRows];
  // The object was changed from outside, for example by an undo. Rows without a name stay at the end.
  const known = new Map(kept.map(row => [row.name, row]));
  const waiting = rows.filter(({ name }) => !names.includes(name) && name === "");
  const next = [...names.map(name => known.get(name) ?? { key: newKey(), name }), ...waiting];
  return [next, setRows];
}

/** Pairs of names and values, such as headers. Each value may contain expressions. */
export function KeyValueField(props: StepFieldProps) {
  const { schema, label, required, value, pointer } = props;
  const { change, readOnly } = useStepForm();
  const entries = isRecord(value) ? value : {};
  const [rows, setRows] = useRows(Object.keys(entries));
  const [added, setAdded] = useState<number>();
  const item = isRecord(schema.additionalProperties) ? schema.additionalProperties : {};
  if (value !== undefined && !isRecord(value) && typeof value !== "string") return <JsonField {...props} />;
  if (Object.values(entries).some(one => !isLine(one))) return <JsonField {...props} />;

  const store = (next: Row[], values: Readonly<Record<string, unknown>>) => {
    setRows(next);
    const named = next.filter(({ name }, n) => name !== "" && !next.slice(0, n).some(one => one.name === name));
    const made = Object.fromEntries(named.map(({ name }) => [name, memberOf(values, name) ?? ""]));
    change(pointer, named.length === 0 && !required ? undefined : made);
  };
  const rename = (key: number, name: string) => {
    const former = rows.find(row => row.key === key)!.name;
    const next = rows.map(row => (row.key === key ? { key, name } : row));
    const isTaken = rows.some(row => row.key !== key && row.name === name);
    store(
      next,
      isTaken || name === "" ? entries : { ...entries, [name]: memberOf(entries, former) ?? memberOf(entries, name) },
    );
  };
  return (
    <Switchable {...props}>
      {toggle => (
        <RowsFrame
          {...{ schema, label, required, pointer }}
          aside={toggle}
          add={formTexts.add}
          onAdd={() => {
            const key = newKey();
            setAdded(key);
            setRows([...rows, { key, name: "" }]);
          }}
        >
          {rows.map(({ key, name }, n) => (
            <div key={key} className={styles.pair}>
              <input
                className={styles.input}
                aria-label={words.nameOf(label, n + 1)}
                placeholder={words.name}
                readOnly={readOnly}
                spellCheck={false}
                // eslint-disable-next-line jsx-a11y/no-autofocus -- the person asked for a row, to name it
                autoFocus={key === added}
                value={name}
                onChange={event => rename(key, event.target.value)}
              />
              <TextField
                schema={item}
                label={words.valueOf(name || String(n + 1))}
                hideLabel
                required
                placeholder={words.value}
                value={memberOf(entries, name)}
                pointer={pointer + pointerPart(name)}
              />
              {readOnly ? null : (
                <RemoveRow
                  className={styles.removePair}
                  what={name || words.nameOf(label, n + 1)}
                  onRemove={() =>
                    store(
                      rows.filter(row => row.key !== key),
                      entries,
                    )
                  }
                />
              )}
            </div>
          ))}
        </RowsFrame>
      )}
    </Switchable>
  );
}

/** Whether an object of this schema is edited as pairs of names and values. */
export const isKeyValue = (schema: StepFieldProps["schema"]): boolean =>
  hintsOf(schema).widget === "keyValue" ||
  (!isRecord(schema.properties) &&
    isRecord(schema.additionalProperties) &&
    Object.keys(schema.additionalProperties).length > 0);
