import { useEffect, useState } from "react";
import { m } from "../messages/index.ts";
import styles from "./skeleton.module.css";

/** Returns true after a delay, so that fast loading shows no placeholder. */
export function useDelay(ms = 150): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return over;
}

const WIDTHS = ["62%", "48%", "71%", "55%", "66%", "43%", "58%", "50%"];

interface SkeletonRowsProps {
  rows?: number;
  /** Whether the rows will have two lines. */
  tall?: boolean;
  /** Whether a table with a row of titles is loading. */
  table?: boolean;
}

/** Placeholder rows for a list that is loading. */
export function SkeletonRows({ rows = 8, tall, table }: SkeletonRowsProps) {
  const shown = useDelay();
  return (
    <div className={styles.rows} role="status" data-shown={shown || undefined} data-tall={tall || undefined}>
      <span className="visually-hidden">{m.loading}</span>
      {table ? <div className={styles.head} /> : null}
      {Array.from({ length: rows }, (_, n) => (
        <div key={n} className={styles.row}>
          <span className={styles.dot} />
          <span className={styles.bar} style={{ inlineSize: WIDTHS[n % WIDTHS.length] }} />
          <span className={styles.end} />
        </div>
      ))}
    </div>
  );
}

/** A placeholder for a short text. */
export const Skeleton = ({ width }: { width: number }) => (
  <span className={styles.bar} data-inline style={{ inlineSize: width }} aria-hidden />
);
