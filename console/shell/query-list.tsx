import type { ReactNode } from "react";
import { problemOf } from "../data/problem.ts";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Failure } from "../ui/states.tsx";

interface ListedProps<T> {
  /** The result of a list query, as `useQuery` returns it. */
  query: { data: readonly T[] | undefined; error: Error | null; refetch: () => unknown };
  /** Shown instead of an empty list. */
  empty: ReactNode;
  children: (one: T) => ReactNode;
  /** Uses less space, for lists in a card. */
  small?: boolean;
  rows?: number;
}

/**
 * A list in each of its states: loading, failed, empty, or with entries. Entries stay visible after a later failure.
 */
export function QueryList<T>({ query: { data, error, refetch }, empty, children, small, rows = 4 }: ListedProps<T>) {
  if (data) return data.length === 0 ? empty : <ul data-rows>{data.map(children)}</ul>;
  if (!error) return <SkeletonRows tall rows={rows} />;
  return <Failure problem={problemOf(error)} onRetry={() => void refetch()} {...(small && { small })} />;
}
