import { Plus, Trash2 } from "lucide-react";
import { words } from "../../messages/en-trial.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import { type Option, Select } from "../../ui/select.tsx";
import { type MockRow, newMock } from "./trial.ts";
import styles from "./trial.module.css";

interface MockRowsProps {
  rows: readonly MockRow[];
  steps: readonly Option<string>[];
  wrong: ReadonlySet<"input" | number>;
  onChange: (rows: readonly MockRow[]) => void;
}

const KINDS = (["output", "error"] as const).map(value => ({ value, label: words.kind[value] }));

/** The mocks of a test run: what steps return instead of running. */
export function MockRows({ rows, steps, wrong, onChange }: MockRowsProps) {
  const change = (at: number, next: Partial<MockRow>) =>
    onChange(rows.map((row, n) => (n === at ? { ...row, ...next } : row)));
  const free = steps.find(({ value }) => !rows.some(({ nodeId }) => nodeId === value));
  return (
    <div className={styles.mocks} role="group" aria-label={words.mocks}>
      <div className={styles.mocksHead}>
        <span className={styles.label}>{words.mocks}</span>
        <Button
          size="small"
          icon={<Plus size={14} aria-hidden />}
          disabled={!free}
          onClick={() => free && onChange([...rows, newMock(free.value)])}
        >
          {words.addMock}
        </Button>
      </div>
      {rows.length === 0 ? <p className={styles.quiet}>{words.noMocks}</p> : null}
      {rows.map(({ nodeId, kind, text }, n) => (
        <div key={n} className={styles.mock} data-mock="">
          <Select
            label={words.step}
            hideLabel
            value={nodeId}
            options={steps.filter(({ value }) => value === nodeId || !rows.some(row => row.nodeId === value))}
            onChange={next => change(n, { nodeId: next })}
          />
          <Select
            label={words.gives}
            hideLabel
            value={kind}
            options={KINDS}
            onChange={next => change(n, { kind: next, text: next === "output" ? "{}" : "" })}
          />
          <IconButton label={words.removeMock} onClick={() => onChange(rows.filter((_row, at) => at !== n))}>
            <Trash2 size={14} aria-hidden />
          </IconButton>
          <TextArea
            className={styles.mockText}
            code={kind === "output"}
            hideLabel
            label={words.mockText(kind)}
            placeholder={kind === "error" ? words.message : undefined}
            error={wrong.has(n) ? words.notJson : undefined}
            rows={Math.min(8, Math.max(2, text.split("\n").length))}
            spellCheck={false}
            value={text}
            onChange={event => change(n, { text: event.target.value })}
          />
        </div>
      ))}
    </div>
  );
}
