import { useQuery } from "@tanstack/react-query";
import { ChartNoAxesColumn } from "lucide-react";
import { problemOf } from "../../data/problem.ts";
import { type Quota, type UsageDay, usageQuery } from "../../data/usage.ts";
import { settings as words } from "../../messages/en-settings.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { DayBars } from "../../ui/day-bars.tsx";
import { Card } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import styles from "./usage.module.css";

const DAYS = 31;
const DAY_MS = 86_400_000;
const numbers = new Intl.NumberFormat("en");
const bytes = new Intl.NumberFormat("en", { style: "unit", unit: "megabyte", maximumFractionDigits: 1 });

const shown = (name: Quota["name"], amount: number) =>
  name === "file_bytes" ? bytes.format(amount / 1_000_000) : numbers.format(amount);

/** How full a quota is: the state has a word beside its colour. */
function fullness(used: number, allowed: number) {
  if (used >= allowed) return "full";
  return used * 100 >= allowed * 80 ? "near" : "free";
}

function Row({ name, used, allowed, renewsAt }: Quota) {
  const state = used === null || allowed === null ? undefined : fullness(used, allowed);
  return (
    <li className={styles.row}>
      <span className={styles.what}>{words.usage.what[name]}</span>
      <span className={styles.amount}>
        {used === null ? words.usage.unknown : shown(name, used)}
        {allowed === null ? null : <span className={styles.quiet}> {words.usage.of(shown(name, allowed))}</span>}
      </span>
      {state === undefined || used === null || allowed === null ? (
        <span className={styles.none}>{used === null ? "" : words.usage.noQuota}</span>
      ) : (
        <span className={styles.state} data-state={state}>
          <meter
            className={styles.meter}
            min={0}
            max={Math.max(1, allowed)}
            value={Math.min(used, allowed)}
            aria-label={words.usage.what[name]}
          />
          <span className={styles.word}>
            {state === "free" ? null : words.usage[state]}
            {state === "full" && renewsAt !== null ? (
              <>
                {" "}
                {words.usage.renews} <Time at={renewsAt} />
              </>
            ) : null}
          </span>
        </span>
      )}
    </li>
  );
}

/** The last 31 days without a gap, oldest first. */
function barsOf(days: readonly UsageDay[], now: number) {
  const byDay = new Map(days.map(day => [day.day, day]));
  return Array.from({ length: DAYS }, (_, n) => {
    const day = new Date(now - (DAYS - 1 - n) * DAY_MS).toISOString().slice(0, 10);
    const { executions = 0, steps = 0, modelTokens = 0 } = byDay.get(day) ?? {};
    const label = words.usage.day(day, numbers.format(executions), numbers.format(steps), numbers.format(modelTokens));
    return { day, label, good: executions, bad: 0, other: 0 };
  });
}

/** What the workspace has used of what it may use. */
export function UsageSection() {
  const { id } = useWorkspace();
  const { data, error, refetch, dataUpdatedAt } = useQuery(usageQuery(id));
  if (!data) {
    return (
      <Card title={words.usage.title} lead={words.usage.lead}>
        {error ? (
          <Failure small problem={problemOf(error)} onRetry={() => void refetch()} />
        ) : (
          <SkeletonRows rows={6} />
        )}
      </Card>
    );
  }
  return (
    <>
      <Card flush title={words.usage.title} lead={words.usage.lead}>
        <ul>
          {data.quotas.map(quota => (
            <Row key={quota.name} {...quota} />
          ))}
        </ul>
      </Card>
      <Card title={words.usage.days} lead={words.usage.daysLead}>
        {data.days.length === 0 ? (
          <Empty small icon={<ChartNoAxesColumn size={20} aria-hidden />} title={words.usage.empty}>
            {words.usage.emptyDetail}
          </Empty>
        ) : (
          <DayBars days={barsOf(data.days, dataUpdatedAt)} label={words.usage.days} height={72} />
        )}
      </Card>
    </>
  );
}
