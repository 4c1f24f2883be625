import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { problemOf } from "../../data/problem.ts";
import { Card } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Failure } from "../../ui/states.tsx";
import styles from "./home.module.css";

interface HomeCardProps<T> {
  title: string;
  /** The text for an empty list. */
  none: string;
  query: UseQueryResult<T[]>;
  /** The link to all entries of this kind. */
  all: ReactNode;
  children: (entries: readonly T[]) => ReactNode;
}

/** A few entries of one kind, and their number. Each card loads and fails on its own. */
export function HomeCard<T>({ title, none, query: { data, error, refetch }, all, children }: HomeCardProps<T>) {
  const content = () => {
    if (data) return data.length === 0 ? <p className={styles.none}>{none}</p> : children(data);
    if (!error) return <SkeletonRows rows={3} />;
    return <Failure small problem={problemOf(error)} onRetry={() => void refetch()} />;
  };
  return (
    <Card
      flush
      title={
        <>
          {title} {data && data.length > 0 ? <span className={styles.count}>{data.length}</span> : null}
        </>
      }
      aside={all}
    >
      {content()}
    </Card>
  );
}
