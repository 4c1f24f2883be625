import { useQuery } from "@tanstack/react-query";
import type { ExecutionStats } from "../../../sdk/definition.ts";
import { type StatsOf, statsQuery } from "../../data/runs.ts";
import { m } from "../../messages/index.ts";
import { dayText, durationText } from "../../messages/time.ts";
import { type DayBar, DayBars } from "../../ui/day-bars.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import styles from "./stats-strip.module.css";

export const daysOf = ({ days }: ExecutionStats): DayBar[] =>
  days.map(({ day, byStatus: { completed, failed, cancelled } }) => ({
    day,
    label: m.home.dayRuns(dayText(day), completed + failed + cancelled, failed),
    good: completed,
    bad: failed,
    other: cancelled,
  }));

function Number({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className={styles.number}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface StatsStripProps {
  workspaceId: string;
  of?: StatsOf | undefined;
  day?: string | undefined;
  onDay?: ((day: string | undefined) => void) | undefined;
}

const shareOf = (part: number, all: number) => (all === 0 ? "–" : m.percent(part / all));

/** Statistics of the last thirty days: of the workspace, or of one workflow or space. */
export function StatsStrip({ workspaceId, of, day, onDay }: StatsStripProps) {
  const { data, error } = useQuery(statsQuery(workspaceId, of));
  const { completed = 0, failed = 0 } = data?.byStatus ?? {};
  const value = (text: string) => (data ? text : error ? "–" : <Skeleton width={40} />);
  const median = data?.durations?.p50Ms;
  const slow = data?.durations?.p95Ms;
  return (
    <div className={styles.strip}>
      <dl className={styles.numbers}>
        <Number label={m.runs.stats.total}>{value(m.number(data?.total ?? 0))}</Number>
        <Number label={m.runs.stats.good}>{value(shareOf(completed, completed + failed))}</Number>
        <Number label={m.runs.stats.median}>{value(median == null ? "–" : durationText(median))}</Number>
        <Number label={m.runs.stats.slow}>{value(slow == null ? "–" : durationText(slow))}</Number>
      </dl>
      <div className={styles.bars}>
        <DayBars days={data ? daysOf(data) : []} label={m.home.thirtyDays} picked={day} onPick={onDay} />
      </div>
    </div>
  );
}
