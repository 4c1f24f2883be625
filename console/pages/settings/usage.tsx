import { useQuery } from "@tanstack/react-query";
import { ChartNoAxesColumn } from "lucide-react";
import { problemOf } from "../../data/problem.ts";
import { type Amount, amountsOf, type UsageDay, usageQuery } from "../../data/usage.ts";
import { bytesText } from "../../messages/bytes.ts";
import { settings as words } from "../../messages/en-settings.ts";
import { m } from "../../messages/index.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { DayBars } from "../../ui/day-bars.tsx";
import { Card } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import styles from "./usage.module.css";

const DAYS = 31;
const DAY_MS = 86_400_000;
/** The service stops counting resources at this number. */
const MAX_COUNTED = 100_000;
const NEAR = 0.8;

const amountText = (name: string, amount: number) => (name === "file_bytes" ? bytesText(amount) : m.number(amount));

function usedText({ name, used, isCapped }: Amount): string {
  if (used === null) return words.usage.unknown;
  const text = amountText(name, used);
  return isCapped && name !== "file_bytes" && used >= MAX_COUNTED ? words.usage.atLeast(text) : text;
}

/** How full a limit is, as a state with a word besides its colour. */
function fullness(used: number, allowed: number) {
  if (used >= allowed) return "full";
  return used >= allowed * NEAR ? "near" : "free";
}

function Bar({
  used,
  allowed,
  renewsAt,
  label,
}: {
  used: number;
  allowed: number;
  renewsAt: string | null;
  label: string;
}) {
  const state = fullness(used, allowed);
  const share = allowed === 0 ? 1 : Math.min(used / allowed, 1);
  return (
    <div className={styles.state} data-state={state}>
      <div
        className={styles.bar}
        role="meter"
        aria-label={label}
        aria-valuenow={Math.round(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <span style={{ inlineSize: `${share * 100}%` }} />
      </div>
      {state === "free" ? null : (
        <span className={styles.word}>
          {state === "near" ? words.usage.near(m.percent(share)) : words.usage.full}
          {state === "full" && renewsAt !== null ? (
            <>
              {" "}
              {words.usage.renews} <Time at={renewsAt} />
            </>
          ) : null}
        </span>
      )}
    </div>
  );
}

function Row({ amount }: { amount: Amount }) {
  const { name, what, used, allowed, renewsAt } = amount;
  const label = words.usage.what[name] ?? what ?? name;
  return (
    <li className={styles.row}>
      <span className={styles.what} title={what}>
        {label}
      </span>
      <span className={styles.amount}>
        {usedText(amount)}
        {allowed === null ? null : <span className={styles.quiet}> {words.usage.of(amountText(name, allowed))}</span>}
      </span>
      {allowed === null ? <span className={styles.none}>{words.usage.noQuota}</span> : null}
      {allowed === null || used === null ? null : <Bar {...{ used, allowed, renewsAt, label }} />}
    </li>
  );
}

function AmountsCard({ title, lead, amounts }: { title: string; lead: string; amounts: readonly Amount[] }) {
  return (
    <Card flush title={title} lead={lead}>
      <ul>
        {amounts.map(amount => (
          <Row key={amount.name} amount={amount} />
        ))}
      </ul>
    </Card>
  );
}

/** The last 31 days without gaps, oldest first. */
function barsOf(days: readonly UsageDay[], now: number) {
  const byDay = new Map(days.map(day => [day.day, day]));
  return Array.from({ length: DAYS }, (_, n) => {
    const day = new Date(now - (DAYS - 1 - n) * DAY_MS).toISOString().slice(0, 10);
    const { executions = 0, steps = 0, modelTokens = 0, ownModelTokens = 0 } = byDay.get(day) ?? {};
    const told = words.usage.day(day, m.number(executions), m.number(steps), m.number(modelTokens));
    const label = ownModelTokens > 0 ? words.usage.dayWithOwn(told, m.number(ownModelTokens)) : told;
    return { day, label, good: executions, bad: 0, other: 0 };
  });
}

/** How much the workspace has used of its quotas and limits. */
export function UsageSection() {
  const { id } = useWorkspace();
  const { data, error, refetch, dataUpdatedAt } = useQuery(usageQuery(id));
  if (!data) {
    return (
      <Card flush title={words.usage.title} lead={words.usage.lead}>
        {error ? (
          <Failure small problem={problemOf(error)} onRetry={() => void refetch()} />
        ) : (
          <SkeletonRows rows={6} />
        )}
      </Card>
    );
  }
  const { performed, kept } = amountsOf(data);
  const ownTokens = data.days.reduce((sum, day) => sum + day.ownModelTokens, 0);
  return (
    <>
      <AmountsCard title={words.usage.title} lead={words.usage.lead} amounts={performed} />
      <AmountsCard title={words.usage.kept} lead={words.usage.keptLead} amounts={kept} />
      <Card title={words.usage.days} lead={words.usage.daysLead}>
        {data.days.length === 0 ? (
          <Empty small icon={<ChartNoAxesColumn size={20} aria-hidden />} title={words.usage.empty}>
            {words.usage.emptyDetail}
          </Empty>
        ) : (
          <DayBars days={barsOf(data.days, dataUpdatedAt)} label={words.usage.days} height={72} />
        )}
        {ownTokens > 0 ? <p className={styles.own}>{words.usage.ownTokens(m.number(ownTokens))}</p> : null}
      </Card>
    </>
  );
}
