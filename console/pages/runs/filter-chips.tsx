import { Suspense } from "react";
import { RUN_STATUSES, type RunFilters } from "../../data/runs.ts";
import { m } from "../../messages/index.ts";
import { Chip } from "../../ui/chip.tsx";
import { lazy } from "../../ui/lazy.tsx";
import { Status } from "../../ui/status.tsx";
import styles from "./filter-bar.module.css";
import type { FilterChipsProps } from "./value-chips.tsx";

/** Most lists have no filter besides the status. */
const ValueChips = lazy(() => import("./value-chips.tsx"));

/** Whether a filter applies that has no control above the list. */
const hasValues = (filters: RunFilters) =>
  Object.entries(filters).some(([name, value]) => name !== "status" && name !== "sort" && value !== undefined);

/** The filters above the list: the statuses, and other filters that are set. */
export function FilterChips(props: FilterChipsProps) {
  const { filters, onChange } = props;
  const { status = [] } = filters;
  const toggle = (one: (typeof RUN_STATUSES)[number]) => {
    const next = status.includes(one) ? status.filter(word => word !== one) : [...status, one];
    onChange({ status: next.length > 0 ? RUN_STATUSES.filter(word => next.includes(word)) : undefined });
  };
  return (
    <div className={styles.chips} role="group" aria-label={m.runs.filterStatus}>
      {RUN_STATUSES.map(one => (
        <Chip key={one} on={status.includes(one)} onToggle={() => toggle(one)}>
          <Status status={one} size={14} />
        </Chip>
      ))}
      {hasValues(filters) ? (
        <Suspense fallback={null}>
          <ValueChips {...props} />
        </Suspense>
      ) : null}
    </div>
  );
}
