import { useInfiniteQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Download } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import type { LogEntry } from "../../sdk/definition.ts";
import { problemOf } from "../data/problem.ts";
import { logAsText, type LogLevel, logQuery } from "../data/run.ts";
import type { RunAddress, StepPath } from "../data/run-types.ts";
import { runTexts } from "../messages/en-run.ts";
import { exactClock } from "../messages/time.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { save } from "../ui/save.ts";
import { Segmented } from "../ui/segmented.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Empty, Failure } from "../ui/states.tsx";
import styles from "./log.module.css";

type Shown = "all" | "problems";
const LEVELS: Record<Shown, readonly LogLevel[]> = { all: [], problems: ["warn", "error"] };

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
  const id = useId();
  const [current, setCurrent] = useState(-1);
  const onKey = (event: KeyboardEvent) => {
    const entry = entries[current];
    if (event.key === "Enter" && entry?.nodeId) return onSelect(entry.nodeId, entry.path ?? []);
    const next = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: entries.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    if (!entries[next]) return;
    setCurrent(next);
    virtual.scrollToIndex(next);
  };
  const last = virtual.getVirtualItems().at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && last >= entries.length - 40) void fetchNextPage();
  }, [last, entries.length, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const download = async () => save(await logAsText(at), `run-${at.id}.jsonl`, "application/jsonl");
  return (
    <div className={styles.log}>
      <div className={styles.bar}>
        <Segmented
          label={<span className="visually-hidden">{runTexts.run.logLevel}</span>}
          value={shown}
          onChange={setShown}
          options={[
            { value: "all", label: runTexts.run.logAll },
            { value: "problems", label: runTexts.run.logProblems },
          ]}
        />
        <Button size="small" icon={<Download size={14} aria-hidden />} onClick={() => void download()}>
          {runTexts.run.download}
        </Button>
      </div>
      {error && !data ? (
        <Failure problem={problemOf(error)} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows />
      ) : entries.length === 0 ? (
        <Empty title={shown === "problems" ? runTexts.run.noProblems : runTexts.run.noLog} small />
      ) : (
        <div
          ref={scroller}
          className={styles.scroller}
          role="grid"
          aria-label={runTexts.run.log}
          aria-rowcount={hasNextPage ? -1 : entries.length}
          tabIndex={0}
          aria-activedescendant={entries[current] ? `${id}${current}` : undefined}
          onKeyDown={onKey}
        >
          <div style={{ blockSize: virtual.getTotalSize() }} className={styles.rows} role="rowgroup">
            {virtual.getVirtualItems().map(({ index, key, start, size }) => {
              const entry = entries[index]!;
              const { nodeId } = entry;
              return (
                <div
                  key={key}
                  id={`${id}${index}`}
                  role="row"
                  aria-rowindex={index + 1}
                  aria-selected={index === current}
                  className={cx(styles.row, styles[entry.level], index === current && styles.current)}
                  style={{ transform: `translateY(${start}px)`, blockSize: size }}
                >
                  <span role="gridcell" className={styles.time}>
                    <time dateTime={entry.at}>{exactClock(entry.at)}</time>
                  </span>
                  <span role="gridcell" className={styles.step}>
                    {nodeId === null ? null : (
                      <button type="button" tabIndex={-1} onClick={() => onSelect(nodeId, entry.path ?? [])}>
                        {names.get(nodeId) ?? nodeId}
                        {entry.path?.length ? <span className={styles.item}>{itemText(entry.path)}</span> : null}
                      </button>
                    )}
                  </span>
                  <span role="gridcell" className={styles.message}>
                    {entry.error && !entry.message.includes(entry.error.message)
                      ? `${entry.message} ${entry.error.message}`
                      : entry.message}
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
