import { m } from "../messages/index.ts";
import { Skeleton, useDelay } from "../ui/skeleton.tsx";
import styles from "./opening.module.css";

/** The bar and the empty canvas of a workflow that is loading, at the places that they keep. */
export function Opening() {
  const shown = useDelay();
  return (
    <div className={styles.opening} role="status">
      <span className="visually-hidden">{m.loading}</span>
      <div className={styles.bar}>{shown ? <Skeleton width={180} /> : null}</div>
    </div>
  );
}
