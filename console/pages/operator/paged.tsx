import { useNavigate, useSearch } from "@tanstack/react-router";
import { Search } from "lucide-react";
import type { ReactNode } from "react";
import { operator as words } from "../../messages/en-operator.ts";
import { Button } from "../../ui/button.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { Listed } from "../../shell/listed.tsx";
import styles from "./operator.module.css";

/** The search of a list, which its address keeps. */
export function useListSearch(tab: "users" | "workspaces", label: string) {
  const { q = "" } = useSearch({ from: "/authed/operator/$tab" });
  const navigate = useNavigate();
  const field = (
    <div className={styles.search}>
      <SearchField
        label={label}
        icon={<Search size={14} aria-hidden />}
        value={q}
        onChange={next =>
          void navigate({ to: "/operator/$tab", params: { tab }, search: { q: next || undefined }, replace: true })
        }
      />
    </div>
  );
  return { search: q.trim().toLowerCase(), field };
}

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

/** A list of several pages, in each of its states. */
export function Paged<T>({ query, empty, children }: PagedProps<T>) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  return (
    <>
      <Listed small rows={4} query={{ ...query, data: data?.pages.flatMap(({ items }) => items) }} empty={empty}>
        {children}
      </Listed>
      {hasNextPage ? (
        <div className={styles.more}>
          <Button size="small" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {words.more}
          </Button>
        </div>
      ) : null}
    </>
  );
}
