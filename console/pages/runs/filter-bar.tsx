import { useQuery } from "@tanstack/react-query";
import { ChevronsUpDown, Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { RUN_STATUSES, type RunFilters } from "../../data/runs.ts";
import { workflowsQuery } from "../../data/workflows.ts";
import { isRunId } from "../../data/paths.ts";
import { useOpenRun } from "../../shell/use-open-run.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { useMemberNames } from "../../data/workspaces.ts";
import { m } from "../../messages/index.ts";
import { dayText } from "../../messages/time.ts";
import { useCommands } from "../../shell/shortcuts.ts";
import { Button } from "../../ui/button.tsx";
import { Chip, ValueChip } from "../../ui/chip.tsx";
import { Menu, MenuChoice } from "../../ui/menu.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { Status } from "../../ui/status.tsx";
import styles from "./filter-bar.module.css";

interface FilterBarProps {
  workspaceId: string;
  filters: RunFilters;
  onChange: (change: RunFilters) => void;
}

const TYPED_MS = 300;
const ALL = "all";

interface TextFilterProps {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  /** A whole id of a run was typed. */
  onRun: (id: string) => void;
}

/** The filter by text. It is applied when typing stops. */
function TextFilter({ value, onChange, onRun }: TextFilterProps) {
  const [text, setText] = useState(value ?? "");
  const field = useRef<HTMLInputElement>(null);
  const apply = useRef(onChange);
  const opens = useRef(onRun);
  useEffect(() => {
    apply.current = onChange;
    opens.current = onRun;
  });
  useEffect(() => {
    const next = text.trim() || undefined;
    if (next === value) return;
    // A pasted id leads to its run.
    if (next !== undefined && isRunId(next)) return void opens.current(next);
    const timer = setTimeout(() => apply.current(next), TYPED_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  useCommands([{ id: "filter", title: m.shortcut.filter, keys: "/", run: () => field.current?.focus() }]);
  return (
    <SearchField
      ref={field}
      className={styles.search}
      icon={<Search size={14} aria-hidden />}
      label={m.runs.search}
      value={text}
      onChange={setText}
    />
  );
}

export function FilterBar({ workspaceId, filters, onChange }: FilterBarProps) {
  const { data: workflows = [] } = useQuery(workflowsQuery(workspaceId));
  const names = useMemberNames(workspaceId);
  const openRun = useOpenRun(useWorkspace());
  const { status = [], workflow, trigger, by, error, q, key, label, day } = filters;
  const toggle = (one: (typeof RUN_STATUSES)[number]) => {
    const next = status.includes(one) ? status.filter(word => word !== one) : [...status, one];
    onChange({ status: next.length > 0 ? RUN_STATUSES.filter(word => next.includes(word)) : undefined });
  };
  const options = [
    { value: ALL, label: m.runs.allWorkflows },
    ...workflows.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const chosen = options.find(({ value }) => value === (workflow ?? ALL))?.label ?? m.runs.allWorkflows;
  return (
    <div className={styles.bar}>
      <div className={styles.row}>
        <TextFilter key={q ?? ""} value={q} onChange={next => onChange({ q: next })} onRun={id => void openRun(id)} />
        <Menu
          trigger={
            <Button className={styles.workflow} aria-label={`${m.runs.workflow}: ${chosen}`}>
              <span className={styles.chosen}>{chosen}</span>
              <ChevronsUpDown size={14} aria-hidden />
            </Button>
          }
        >
          {options.map(({ value, label }) => (
            <MenuChoice
              key={value}
              checked={value === (workflow ?? ALL)}
              onSelect={() => onChange({ workflow: value === ALL ? undefined : value })}
            >
              {label}
            </MenuChoice>
          ))}
        </Menu>
      </div>
      <div className={styles.chips} role="group" aria-label={m.runs.filterStatus}>
        {RUN_STATUSES.map(one => (
          <Chip key={one} on={status.includes(one)} onToggle={() => toggle(one)}>
            <Status status={one} size={14} />
          </Chip>
        ))}
        {day === undefined ? null : (
          <ValueChip
            name={m.runs.filters.day}
            label={m.runs.removeFilter}
            onRemove={() => onChange({ day: undefined })}
          >
            {dayText(day)}
          </ValueChip>
        )}
        {trigger === undefined ? null : (
          <ValueChip
            name={m.runs.trigger}
            label={m.runs.removeFilter}
            onRemove={() => onChange({ trigger: undefined })}
          >
            {m.runs.triggers[trigger]}
          </ValueChip>
        )}
        {by === undefined ? null : (
          <ValueChip name={m.runs.filters.by} label={m.runs.removeFilter} onRemove={() => onChange({ by: undefined })}>
            {names.get(by) ?? by.slice(0, 8)}
          </ValueChip>
        )}
        {key === undefined ? null : (
          <ValueChip
            name={m.runs.filters.key}
            label={m.runs.removeFilter}
            onRemove={() => onChange({ key: undefined })}
          >
            {key}
          </ValueChip>
        )}
        {label === undefined ? null : (
          <ValueChip
            name={m.runs.filters.label}
            label={m.runs.removeFilter}
            onRemove={() => onChange({ label: undefined })}
          >
            {label}
          </ValueChip>
        )}
        {error === undefined ? null : (
          <ValueChip
            name={m.runs.filters.error}
            label={m.runs.removeFilter}
            onRemove={() => onChange({ error: undefined })}
          >
            {error}
          </ValueChip>
        )}
      </div>
    </div>
  );
}
