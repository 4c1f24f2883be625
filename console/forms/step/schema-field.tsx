import { useState } from "react";
import { sameJson } from "../../data/json.ts";
import { words } from "../../messages/en-inspector.ts";
import { Button } from "../../ui/button.tsx";
import formStyles from "../form.module.css";
import { type StepFieldProps, useStepForm } from "./context.ts";
import { JsonField } from "./json-field.tsx";
import { type RowKind, rowsOf, type SchemaRow, schemaOfRows } from "./schema-rows.ts";
import { RemoveRow, RowsFrame } from "./rows-frame.tsx";
import styles from "./step.module.css";

const KINDS = Object.keys(words.schema.kinds) as RowKind[];
const NEW: SchemaRow = { name: "", kind: "text", required: false, options: [], rest: {} };

interface RowProps {
  row: SchemaRow;
  n: number;
  readOnly: boolean;
  onChange: (change: Partial<SchemaRow>) => void;
  onRemove: () => void;
  fresh: boolean;
}

function Row({ row, n, readOnly, onChange, onRemove, fresh }: RowProps) {
  const { name, kind, required, options } = row;
  const title = name || words.schema.row(n + 1);
  // Options are typed as one text. A comma at its end is kept, although no option follows it yet.
  const [text, setText] = useState(options.join(", "));
  return (
    <div className={styles.schemaRow}>
      <input
        className={styles.input}
        aria-label={words.nameOf(words.schema.field, n + 1)}
        placeholder={words.name}
        readOnly={readOnly}
        spellCheck={false}
        // eslint-disable-next-line jsx-a11y/no-autofocus -- the person asked for a row, to name it
        autoFocus={fresh}
        value={name}
        onChange={event => onChange({ name: event.target.value })}
      />
      <select
        className={formStyles.select}
        aria-label={words.schema.kindOf(title)}
        disabled={readOnly}
        value={kind}
        onChange={event => onChange({ kind: event.target.value as RowKind })}
      >
        {KINDS.map(one => (
          <option key={one} value={one}>
            {words.schema.kinds[one]}
          </option>
        ))}
      </select>
      <label className={styles.onOff}>
        <input
          type="checkbox"
          className={styles.check}
          aria-label={words.schema.requiredOf(title)}
          checked={required}
          disabled={readOnly}
          onChange={event => onChange({ required: event.target.checked })}
        />
        {words.schema.required}
      </label>
      {readOnly ? null : <RemoveRow what={title} onRemove={onRemove} />}
      {kind === "choice" ? (
        <input
          className={styles.options}
          aria-label={words.schema.optionsOf(title)}
          placeholder={words.schema.options}
          readOnly={readOnly}
          value={text}
          onChange={event => {
            setText(event.target.value);
            const each = event.target.value.split(",").map(option => option.trim());
            onChange({ options: [...new Set(each.filter(Boolean))] });
          }}
        />
      ) : null}
    </div>
  );
}

/** Edits the JSON Schema of an object: its fields as rows, or as JSON if rows cannot express it. */
export function SchemaField(props: StepFieldProps) {
  const { schema, label, required, value, pointer } = props;
  const { change, readOnly } = useStepForm();
  const known = rowsOf(value);
  const [json, setJson] = useState(known === undefined);
  const [rows, setRows] = useState(known ?? []);
  const [seen, setSeen] = useState(value);
  const [added, setAdded] = useState(false);
  // Shows changes from outside, such as an undo.
  if (!sameJson(seen, value)) {
    setSeen(value);
    if (known && !sameJson(schemaOfRows(rows, value), schemaOfRows(known, value))) setRows(known);
    if (!known) setJson(true);
  }
  const toggle = known ? (
    <Button
      size="small"
      tone="quiet"
      onClick={() => {
        setRows(known);
        setJson(!json);
      }}
    >
      {json ? words.schema.asFields : words.asJson}
    </Button>
  ) : null;
  if (json) return <JsonField {...props} aside={toggle} />;
  const store = (next: SchemaRow[]) => {
    setRows(next);
    const made = schemaOfRows(next, value) ?? (required ? { type: "object" } : undefined);
    setSeen(made);
    change(pointer, made);
  };
  return (
    <RowsFrame
      {...{ schema, label, required, pointer }}
      aside={toggle}
      add={words.schema.add}
      onAdd={() => {
        setAdded(true);
        setRows([...rows, NEW]);
      }}
    >
      {rows.map((row, n) => (
        <Row
          // Rows are identified by position, which only a removal changes.
          key={`${rows.length} ${n}`}
          {...{ row, n, readOnly }}
          fresh={added && n === rows.length - 1 && row.name === ""}
          onChange={part => store(rows.map((one, at) => (at === n ? { ...one, ...part } : one)))}
          onRemove={() => store(rows.filter((_, at) => at !== n))}
        />
      ))}
    </RowsFrame>
  );
}
