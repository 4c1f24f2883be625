import { Plus, X } from "lucide-react";
import { useState } from "react";
import { words } from "../messages/en-inspector.ts";
import { formTexts } from "../messages/en-forms.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import styles from "./credentials.module.css";

interface NamedValuesProps {
  onChange: (values: Record<string, string>) => void;
  faultOf: (name: string) => string | undefined;
}

/** Secret values with names that the user chooses. */
export function NamedValues({ onChange, faultOf }: NamedValuesProps) {
  const [rows, setRows] = useState([{ key: 0, name: "", value: "" }]);
  const set = (next: typeof rows) => {
    setRows(next);
    onChange(Object.fromEntries(next.filter(({ name }) => name !== "").map(({ name, value }) => [name, value])));
  };
  const change = (key: number, part: { name?: string; value?: string }) =>
    set(rows.map(row => (row.key === key ? { ...row, ...part } : row)));
  return (
    <div className={styles.named}>
      {rows.map(({ key, name, value }, n) => (
        <div key={key} className={styles.namedRow}>
          <TextField
            label={words.nameOf(words.value, n + 1)}
            hideLabel={n > 0}
            value={name}
            autoComplete="off"
            spellCheck={false}
            error={faultOf(name)}
            onChange={event => change(key, { name: event.target.value })}
          />
          <TextField
            label={words.valueOf(name || String(n + 1))}
            hideLabel={n > 0}
            type="password"
            autoComplete="new-password"
            value={value}
            onChange={event => change(key, { value: event.target.value })}
          />
          <IconButton
            size="small"
            label={formTexts.remove(name || words.nameOf(words.value, n + 1))}
            disabled={rows.length === 1}
            onClick={() => set(rows.filter(row => row.key !== key))}
          >
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      ))}
      <Button
        size="small"
        tone="quiet"
        icon={<Plus size={14} aria-hidden />}
        onClick={() => set([...rows, { key: Math.max(...rows.map(row => row.key)) + 1, name: "", value: "" }])}
      >
        {words.credential.fieldsAdd}
      </Button>
    </div>
  );
}
