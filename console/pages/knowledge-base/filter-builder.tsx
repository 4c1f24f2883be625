import { useInfiniteQuery } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { useId } from "react";
import { entriesQuery } from "../../data/knowledge.ts";
import { words } from "../../messages/en-knowledge.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import styles from "./base.module.css";
import { COMPARISONS, type Condition, EMPTY, keysOf } from "./conditions.ts";

interface FilterBuilderProps {
  baseId: string;
  conditions: readonly Condition[];
  onChange: (conditions: readonly Condition[]) => void;
}

/**
 * Conditions on the metadata of entries. An entry must meet all of them. Suggested keys come from the newest entries.
 */
export function FilterBuilder({ baseId, conditions, onChange }: FilterBuilderProps) {
  const { id: workspaceId } = useWorkspace();
  const { data } = useInfiniteQuery(entriesQuery(workspaceId, baseId));
  const known = useId();
  const keys = keysOf(data?.pages.flatMap(({ items }) => items) ?? []);
  const change = (at: number, part: Partial<Condition>) =>
    onChange(conditions.map((condition, n) => (n === at ? { ...condition, ...part } : condition)));
  return (
    <div className={styles.conditions}>
      <datalist id={known}>
        {keys.map(key => (
          <option key={key} value={key} />
        ))}
      </datalist>
      {conditions.map(({ key, comparison, value }, at) => (
        <div key={at} className={styles.condition} role="group" aria-label={words.conditions.condition(at + 1)}>
          <TextField
            hideLabel
            label={words.conditions.key}
            placeholder={words.conditions.key}
            list={known}
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            value={key}
            onChange={event => change(at, { key: event.target.value })}
          />
          <Select
            hideLabel
            label={words.conditions.comparison}
            value={comparison}
            options={COMPARISONS.map(one => ({ value: one, label: words.conditions.comparisons[one] }))}
            onChange={next => change(at, { comparison: next })}
          />
          <TextField
            hideLabel
            label={words.conditions.value}
            placeholder={
              comparison === "oneOf" || comparison === "noneOf" ? words.conditions.values : words.conditions.value
            }
            autoComplete="off"
            maxLength={1_024}
            value={value}
            onChange={event => change(at, { value: event.target.value })}
          />
          <IconButton
            label={words.conditions.remove(at + 1)}
            onClick={() => onChange(conditions.filter((_, n) => n !== at))}
          >
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      ))}
      <div>
        <Button
          size="small"
          icon={<Plus size={14} aria-hidden />}
          disabled={conditions.length >= 20}
          onClick={() => onChange([...conditions, EMPTY])}
        >
          {words.conditions.add}
        </Button>
      </div>
    </div>
  );
}
