import { useQueries, type UseQueryResult } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import type { LogEntry } from "../../sdk/definition.ts";
import { attemptsQuery, childStepsQuery, stepsQuery } from "../data/run.ts";
import type { RunAddress, Step, StepsPage } from "../data/run-types.ts";
import { attemptsOf } from "./fold/attempts.ts";
import { hasRetries, levelBelow, type OpenLevel, ROOT, type Row, rowsOf } from "./fold/rows.ts";

export interface Tree {
  rows: Row[];
  /** The steps on the top level of the run. Undefined until they are loaded. */
  root: StepsPage | undefined;
  error: Error | null;
  retry: () => void;
  toggle: (row: Row) => void;
  more: (of: string) => void;
  failedOnly: ReadonlySet<string>;
  setFailedOnly: (of: string, only: boolean) => void;
}

const without = <T>(set: ReadonlySet<T>, value: T): Set<T> => {
  const next = new Set(set);
  next.delete(value);
  return next;
};

/** The step tree of a run. A level is read when the user opens it. */
export function useTree(at: RunAddress): Tree {
  const [open, setOpen] = useState<ReadonlyMap<string, Step>>(new Map());
  const [pages, setPages] = useState<ReadonlyMap<string, number>>(new Map());
  const [failedOnly, setFailed] = useState<ReadonlySet<string>>(new Set());
  const levels = useMemo<OpenLevel[]>(
    () => [
      { of: ROOT, under: [], pages: pages.get(ROOT) ?? 1, failedOnly: false },
      ...[...open].flatMap(([of, step]) => {
        const level = { of, pages: pages.get(of) ?? 1, failedOnly: failedOnly.has(of) };
        const child = step.childExecutionId;
        if (child !== undefined) return [{ ...level, under: [], child }];
        const under = levelBelow(step);
        return under ? [{ ...level, under }] : [];
      }),
    ],
    [open, pages, failedOnly],
  );
  // `combine` keeps its result until an answer changes, so that rows are computed only when needed.
  const combine = useCallback(
    (answers: UseQueryResult<StepsPage>[]) => {
      const loaded = levels.map(
        ({ of, failedOnly: only }, n) => [of, { page: answers[n]?.data, failedOnly: only }] as const,
      );
      const failed = answers.find(({ error }) => error !== null);
      return {
        loaded: new Map(loaded),
        root: answers[0]?.data,
        error: failed?.error ?? null,
        retry: () => void failed?.refetch(),
      };
    },
    [levels],
  );
  const { loaded, ...answered } = useQueries({
    queries: levels.map(({ under, pages: first, failedOnly: only, child }) =>
      child === undefined ? stepsQuery(at, under, first, only) : childStepsQuery(at.workspaceId, child, first),
    ),
    combine,
  });
  const tried = useMemo(() => [...open].filter(([, step]) => hasRetries(step)), [open]);
  const attempts = useQueries({
    queries: tried.map(([, step]) => attemptsQuery(at, step)),
    combine: useCallback(
      (answers: UseQueryResult<LogEntry[]>[]) =>
        new Map(
          tried.map(([key, step], n) => {
            const entries = answers[n]?.data;
            return [key, entries && attemptsOf(entries, step)] as const;
          }),
        ),
      [tried],
    ),
  });
  const rows = useMemo(() => rowsOf(new Set(open.keys()), loaded, attempts), [open, loaded, attempts]);
  const toggle = useCallback((row: Row) => {
    if (row.kind !== "step" || row.expanded === undefined) return;
    setOpen(before => {
      const next = new Map(before);
      if (!next.delete(row.key)) next.set(row.key, row.step);
      return next;
    });
  }, []);
  const more = useCallback((of: string) => setPages(before => new Map(before).set(of, (before.get(of) ?? 1) + 1)), []);
  const setFailedOnly = useCallback((of: string, only: boolean) => {
    setFailed(before => (only ? new Set(before).add(of) : without(before, of)));
    setPages(before => new Map(before).set(of, 1));
  }, []);
  return { ...answered, rows, toggle, more, failedOnly, setFailedOnly };
}
