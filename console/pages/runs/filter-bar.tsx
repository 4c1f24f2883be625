import { useQuery } from "@tanstack/react-query";
import { ChevronsUpDown, ListFilter, Search } from "lucide-react";
import { Suspense, useEffect, useRef, useState } from "react";
import type { RunFilters } from "../../data/runs.ts";
import { workflowsQuery } from "../../data/workflows.ts";
import { isRunId } from "../../data/paths.ts";
import { useOpenRun } from "../../shell/use-open-run.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { m } from "../../messages/index.ts";
import { useCommands } from "../../shell/shortcuts.ts";
import { Button } from "../../ui/button.tsx";
import { lazy } from "../../ui/lazy.tsx";
import { Menu, MenuChoice } from "../../ui/menu.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { FilterChips } from "./filter-chips.tsx";
import styles from "./filter-bar.module.css";
import { SortMenu } from "./sort-menu.tsx";

/** Loaded when it is opened. */
const FilterDialog = lazy(() => import("./filter-dialog.tsx"), "FilterDialog");

interface FilterBarProps {
  workspaceId: string;
  filters: RunFilters;
  onChange: (change: RunFilters) => void;
  /** The filters that the service refused. */
  refused: ReadonlyMap<keyof RunFilters, string>;
}

const TYPED_MS = 300;
const ALL = "all";

interface TextFilterProps {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  /** Called when the user typed the whole id of a run. */
  onRun: (id: string) => void;
}

/** The text filter. It applies when the user stops typing. */
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
    // A pasted id opens its run.
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

export function FilterBar({ workspaceId, filters, onChange, refused }: FilterBarProps) {
  const { data: workflows = [] } = useQuery(workflowsQuery(workspaceId));
  const [opened, setOpened] = useState(false);
  const openRun = useOpenRun(useWorkspace());
  const { workflow, q } = filters;
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
        <Button className={styles.other} icon={<ListFilter size={14} aria-hidden />} onClick={() => setOpened(true)}>
          {m.runs.moreFilters}
        </Button>
        <SortMenu className={styles.other} sort={filters.sort} onChange={sort => onChange({ sort })} />
      </div>
      <FilterChips workspaceId={workspaceId} filters={filters} onChange={onChange} refused={refused} />
      {opened ? (
        <Suspense>
          <FilterDialog {...{ workspaceId, filters, onChange }} onClose={() => setOpened(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}
