import { type ReactNode, Suspense } from "react";
import type { RunFilters } from "../../data/runs.ts";
import { useMemberNames } from "../../data/workspaces.ts";
import { m } from "../../messages/index.ts";
import { dayText, durationText } from "../../messages/time.ts";
import { lazy } from "../../ui/lazy.tsx";
import { ValueChip } from "../../ui/value-chip.tsx";

export interface FilterChipsProps {
  workspaceId: string;
  filters: RunFilters;
  onChange: (change: RunFilters) => void;
  /** The filters that the service refused, each with its message. The others apply. */
  refused: ReadonlyMap<keyof RunFilters, string>;
}

/** Most lists show all spaces. */
const SpaceName = lazy(() => import("./space-name.tsx"), "SpaceName");

/** The filters with a value, each with a button that removes it. A refused one shows the reason. */
export default function ValueChips({ workspaceId, filters, onChange, refused }: FilterChipsProps) {
  const { workflow, trigger, by, error, key, label, day, since, until, space, longer, parent } = filters;
  const names = useMemberNames(workspaceId);
  const short = (id: string) => id.slice(0, 8);
  const named = m.runs.filters;
  const chips: [filter: keyof RunFilters, name: string, value: ReactNode][] = [
    ["workflow", m.runs.workflow, refused.has("workflow") && workflow ? short(workflow) : undefined],
    ["day", named.day, day && dayText(day)],
    ["since", named.since, since && dayText(since)],
    ["until", named.until, until && dayText(until)],
    ["space", named.space, space && <SpaceName workspaceId={workspaceId} id={space} />],
    ["trigger", m.runs.trigger, trigger && m.runs.triggers[trigger]],
    ["by", named.by, by && (names.get(by) ?? short(by))],
    ["key", named.key, key],
    ["label", named.label, label],
    ["longer", named.longer, longer === undefined ? undefined : durationText(longer)],
    ["error", named.error, error],
    ["parent", named.parent, parent && short(parent)],
  ];
  return chips.map(([filter, name, value]) =>
    value === undefined ? null : (
      <ValueChip
        key={filter}
        name={name}
        label={m.runs.removeFilter}
        fault={refused.get(filter)}
        onRemove={() => onChange({ [filter]: undefined })}
      >
        <Suspense>{value}</Suspense>
      </ValueChip>
    ),
  );
}
