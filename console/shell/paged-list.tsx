import type { ReactNode } from "react";
import { m } from "../messages/index.ts";
import { Button } from "../ui/button.tsx";
import styles from "./paged-list.module.css";
import { QueryList } from "./query-list.tsx";

interface PagedProps<T> {
  query: {
    data: { pages: readonly { items: readonly T[] }[] } | undefined;
    error: Error | null;
    refetch: () => unknown;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => unknown;
  };
  empty: ReactNode;
  children: (one: T) => ReactNode;
}

/** A list that is loaded in pages, in each of its states. */
export function PagedList<T>({ query, empty, children }: PagedProps<T>) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  return (
    <>
      <QueryList small rows={4} query={{ ...query, data: data?.pages.flatMap(({ items }) => items) }} empty={empty}>
        {children}
      </QueryList>
      {hasNextPage ? (
        <div className={styles.more}>
          <Button size="small" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {m.runs.more}
          </Button>
        </div>
      ) : null}
    </>
  );
}
