import { useInfiniteQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import type { LogEntry } from "../../sdk/definition.ts";
import { problemOf } from "../data/problem.ts";
import { type LogFilter, logQuery } from "../data/run.ts";
import type { RunAddress, StepPath } from "../data/run-types.ts";
import { logTexts as words } from "../messages/en-log.ts";
import { runTexts } from "../messages/en-run.ts";
import { exactClock } from "../messages/time.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Empty, Failure } from "../ui/states.tsx";
import { entryText } from "./log-entry.ts";
import { LogBar, type LogSearch } from "./log-bar.tsx";
import styles from "./log.module.css";
import { pathFromText, pathText } from "./step-state.ts";

const itemText = (path: StepPath | undefined) =>
  (path ?? []).map(({ nodeId, index }) => runTexts.run.numbered(nodeId, index)).join(" ");

const filterOf = ({ level, q, of, item }: LogSearch): LogFilter => ({
  ...(level && { level: ["warn", "error"] }),
  ...(q !== undefined && { q }),
  ...(of !== undefined && { nodeId: of }),
  ...(item !== undefined && { path: [...pathFromText(item)] }),
});

const isProblemsOnly = ({ q, of, item }: LogSearch) => q === undefined && of === undefined && item === undefined;

interface LogProps {
  at: RunAddress;
  names: ReadonlyMap<string, string>;
  /** Whether the run is still going on, so that its log can be followed. */
  live: boolean;
  search: LogSearch;
  onSearch: (change: LogSearch) => void;
  onSelect: (nodeId: string, path: StepPath) => void;
}

/** The log of a run: everything that it did, in order. */
export function RunLog({ at, names, live, search, onSearch, onSelect }: LogProps) {
  const [wants, setWants] = useState(false);
  // A followed log shows only its newest page, so that its length does not matter.
  const follows = live && wants;
  const filter: LogFilter = { ...filterOf(search), ...(follows && { order: "desc" }) };
  const isFiltered = Object.keys(filterOf(search)).length > 0;
  const query = useInfiniteQuery(logQuery(at, filter));
  const { data, error, refetch, isFetchingNextPage, fetchNextPage } = query;
  const hasNextPage = query.hasNextPage && !follows;
  const entries = useMemo<LogEntry[]>(() => {
    const items = data?.pages.flatMap(page => page.items) ?? [];
    return items.toSorted((a, b) => a.seq - b.seq);
  }, [data]);
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
    if (event.key === "i" && entry?.path?.length) return onSearch({ item: pathText(entry.path) });
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
  const newest = entries.at(-1)?.seq;
  useEffect(() => {
    if (follows && newest !== undefined) virtual.scrollToIndex(entries.length - 1);
  }, [follows, newest, entries.length, virtual]);
  return (
    <div className={styles.log}>
      <LogBar {...{ at, names, search, onSearch }} follows={live ? wants : undefined} onFollow={setWants} />
      {error && !data ? (
        <Failure problem={problemOf(error)} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows />
      ) : entries.length === 0 ? (
        isFiltered ? (
          <Empty
            small
            title={isProblemsOnly(search) ? words.noProblems : words.noMatch}
            action={
              <Button onClick={() => onSearch({ level: undefined, q: undefined, of: undefined, item: undefined })}>
                {words.clear}
              </Button>
            }
          />
        ) : (
          <Empty title={words.none} small />
        )
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
                      </button>
                    )}
                    {entry.path?.length ? (
                      <button
                        type="button"
                        tabIndex={-1}
                        className={styles.item}
                        title={words.onlyItem}
                        onClick={() => onSearch({ item: pathText(entry.path) })}
                      >
                        {itemText(entry.path)}
                      </button>
                    ) : null}
                  </span>
                  <span role="gridcell" className={styles.message} title={entryText(entry)}>
                    {entryText(entry)}
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
