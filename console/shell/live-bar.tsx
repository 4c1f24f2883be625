import { useLive } from "../data/live.ts";
import { useStaleSince } from "../data/stale-since.ts";
import { m } from "../messages/index.ts";
import { hourAndMinute } from "../messages/time.ts";
import { Notice } from "../ui/states.tsx";
import styles from "./live-bar.module.css";

/** Says that the page may show old data, while the connection is lost or the service does not answer. */
export function LiveBar() {
  const { state, asOf } = useLive();
  const awaySince = useStaleSince();
  const isLost = state === "lost";
  if (!isLost && awaySince === undefined) return null;
  const text = isLost ? m.problem.asOf(hourAndMinute(asOf)) : m.problem.awayAsOf(hourAndMinute(awaySince!));
  return (
    <div className={styles.bar}>
      <Notice tone="warn">{text}</Notice>
    </div>
  );
}
