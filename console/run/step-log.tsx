import { useInfiniteQuery } from "@tanstack/react-query";
import type { LogEntry } from "../../sdk/definition.ts";
import { problemOf } from "../data/problem.ts";
import { logQuery, OF_ATTEMPTS } from "../data/run.ts";
import type { RunAddress, Step } from "../data/run-types.ts";
import { logTexts as words } from "../messages/en-log.ts";
import { durationText, exactClock } from "../messages/time.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Empty, Failure } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { attemptsOf, OUTCOME_STATES } from "./fold/attempts.ts";
import { entryText } from "./log-entry.ts";
import styles from "./step-log.module.css";

interface StepLogProps {
  at: RunAddress;
  step: Step;
  /** Shows attempts with their outcomes instead of all entries. */
  attempts?: boolean;
}

function Entries({ entries }: { entries: readonly LogEntry[] }) {
  return (
    <ul className={styles.entries}>
      {entries.map(entry => (
        <li key={entry.seq} className={cx(styles.entry, styles[entry.level])}>
          <time dateTime={entry.at}>{exactClock(entry.at)}</time>
          <span className={styles.message}>{entryText(entry)}</span>
        </li>
      ))}
    </ul>
  );
}

const Attempts = ({ entries, step }: { entries: readonly LogEntry[]; step: Step }) => (
  <ol className={styles.attempts}>
    {attemptsOf(entries, step).map(({ attempt, outcome, startedAt, durationMs, error }) => (
      <li key={attempt} className={styles.attempt}>
        <p className={styles.which}>
          <Status status={OUTCOME_STATES[outcome]} iconOnly />
          <span className={styles.name}>{words.attempt(attempt, step.attempts)}</span>
          <span className={styles.took}>
            {durationMs === undefined ? words.outcome[outcome] : durationText(durationMs)}
          </span>
        </p>
        <p className={styles.note}>
          {startedAt ? <time dateTime={startedAt}>{exactClock(startedAt)}</time> : null} {words.outcome[outcome]}
        </p>
        {error ? (
          <p className={styles.fault}>
            <code>{error.code}</code> {error.message}
          </p>
        ) : null}
      </li>
    ))}
  </ol>
);

/** The log entries of one step, or its attempts. */
export default function StepLog({ at, step, attempts = false }: StepLogProps) {
  const filter = { nodeId: step.nodeId, path: [...(step.path ?? [])], ...(attempts && { event: OF_ATTEMPTS }) };
  const query = useInfiniteQuery(logQuery(at, filter));
  const entries = query.data?.pages.flatMap(({ items }) => items) ?? [];
  if (query.error && !query.data) {
    return <Failure small problem={problemOf(query.error)} onRetry={() => void query.refetch()} />;
  }
  if (!query.data) return <SkeletonRows rows={4} />;
  if (entries.length === 0) return <Empty small title={words.none} />;
  return (
    <ScrollRegion label={attempts ? words.attempts : words.ofStep} className={styles.region}>
      {attempts ? <Attempts entries={entries} step={step} /> : <Entries entries={entries} />}
      {query.hasNextPage ? (
        <Button
          size="small"
          className={styles.more}
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {words.more}
        </Button>
      ) : null}
    </ScrollRegion>
  );
}
