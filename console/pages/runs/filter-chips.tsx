import { lazy, type ReactNode, Suspense } from "react";
import { RUN_STATUSES, type RunFilters } from "../../data/runs.ts";
import { useMemberNames } from "../../data/workspaces.ts";
import { m } from "../../messages/index.ts";
import { dayText, durationText } from "../../messages/time.ts";
import { Chip, ValueChip } from "../../ui/chip.tsx";
import { Status } from "../../ui/status.tsx";
import styles from "./filter-bar.module.css";

/** Most lists are of all spaces. */
const SpaceName = lazy(async () => ({ default: (await import("./space-name.tsx")).SpaceName }));

interface FilterChipsProps {
  workspaceId: string;
  filters: RunFilters;
  onChange: (change: RunFilters) => void;
}

/** The statuses to choose, and the other filters that apply, each to take away. */
export function FilterChips({ workspaceId, filters, onChange }: FilterChipsProps) {
  const { status = [], trigger, by, error, key, label, day, space, longer, parent } = filters;
  const names = useMemberNames(workspaceId);
  const toggle = (one: (typeof RUN_STATUSES)[number]) => {
    const next = status.includes(one) ? status.filter(word => word !== one) : [...status, one];
    onChange({ status: next.length > 0 ? RUN_STATUSES.filter(word => next.includes(word)) : undefined });
  };
  const short = (id: string) => id.slice(0, 8);
  const named = m.runs.filters;
  const chips: [filter: keyof RunFilters, name: string, value: ReactNode][] = [
    ["day", named.day, day && dayText(day)],
    ["space", named.space, space && <SpaceName workspaceId={workspaceId} id={space} />],
    ["trigger", m.runs.trigger, trigger && m.runs.triggers[trigger]],
    ["by", named.by, by && (names.get(by) ?? short(by))],
    ["key", named.key, key],
    ["label", named.label, label],
    ["longer", named.longer, longer === undefined ? undefined : durationText(longer)],
    ["error", named.error, error],
    ["parent", named.parent, parent && short(parent)],
  ];
  return (
    <div className={styles.chips} role="group" aria-label={m.runs.filterStatus}>
      {RUN_STATUSES.map(one => (
        <Chip key={one} on={status.includes(one)} onToggle={() => toggle(one)}>
          <Status status={one} size={14} />
        </Chip>
      ))}
      {chips.map(([filter, name, value]) =>
        value === undefined ? null : (
          <ValueChip
            key={filter}
            name={name}
            label={m.runs.removeFilter}
            onRemove={() => onChange({ [filter]: undefined })}
          >
            <Suspense>{value}</Suspense>
          </ValueChip>
        ),
      )}
    </div>
  );
}
