import { useInfiniteQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Download } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import type { LogEntry } from "../../sdk/definition.ts";
import { problemOf } from "../data/problem.ts";
import { logAsText, type LogLevel, logQuery } from "../data/run.ts";
import type { RunAddress, StepPath } from "../data/run-types.ts";
import { m } from "../messages/index.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { save } from "../ui/save.ts";
import { Segmented } from "../ui/segmented.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Empty, Failure } from "../ui/states.tsx";
import styles from "./log.module.css";

type Shown = "all" | "problems";
const LEVELS: Record<Shown, readonly LogLevel[]> = { all: [], problems: ["warn", "error"] };

const clock = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
  hourCycle: "h23",
});

const itemText = (path: StepPath | undefined) =>
  (path ?? []).map(({ nodeId, index }) => `${nodeId}[${index}]`).join(" ");

interface LogProps {
  at: RunAddress;
  names: ReadonlyMap<string, string>;
  onSelect: (nodeId: string, path: StepPath) => void;
}

/** Everything that a run did, in order. */
export function RunLog({ at, names, onSelect }: LogProps) {
  const [shown, setShown] = useState<Shown>("all");
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    logQuery(at, LEVELS[shown]),
  );
  const entries = useMemo<LogEntry[]>(() => data?.pages.flatMap(page => page.items) ?? [], [data]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 28,
    overscan: 20,
  });
  const last = virtual.getVirtualItems().at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && last >= entries.length - 40) void fetchNextPage();
  }, [last, entries.length, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const download = async () => save(await logAsText(at), `run-${at.id}.jsonl`, "application/jsonl");
  return (
    <div className={styles.log}>
      <div className={styles.bar}>
        <Segmented
          label={<span className="visually-hidden">{m.run.logLevel}</span>}
          value={shown}
          onChange={setShown}
          options={[
            { value: "all", label: m.run.logAll },
            { value: "problems", label: m.run.logProblems },
          ]}
        />
        <Button size="small" icon={<Download size={14} aria-hidden />} onClick={() => void download()}>
          {m.run.download}
        </Button>
      </div>
      {error && !data ? (
        <Failure problem={problemOf(error)} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows />
      ) : entries.length === 0 ? (
        <Empty title={shown === "problems" ? m.run.noProblems : m.run.noLog} small />
      ) : (
        // A scrollable region takes the focus, so that keys can scroll it.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div ref={scroller} className={styles.scroller} tabIndex={0} role="log" aria-label={m.run.log}>
          <div style={{ blockSize: virtual.getTotalSize() }} className={styles.rows}>
            {virtual.getVirtualItems().map(({ index, key, start, size }) => {
              const entry = entries[index]!;
              const { nodeId } = entry;
              return (
                <div
                  key={key}
                  className={cx(styles.row, styles[entry.level])}
                  style={{ transform: `translateY(${start}px)`, blockSize: size }}
                >
                  <time dateTime={entry.at} className={styles.time}>
                    {clock.format(Date.parse(entry.at))}
                  </time>
                  {nodeId === null ? (
                    <span className={styles.step} />
                  ) : (
                    <button type="button" className={styles.step} onClick={() => onSelect(nodeId, entry.path ?? [])}>
                      {names.get(nodeId) ?? nodeId}
                      {entry.path?.length ? <span className={styles.item}>{itemText(entry.path)}</span> : null}
                    </button>
                  )}
                  <span className={styles.message}>
                    {entry.error ? `${entry.message} ${entry.error.message}` : entry.message}
                  </span>
                </div>
              );
            })}
          </div>
        </div>
      )}
    </div>
  );
}
