import { useLive } from "../data/live.ts";
import { m } from "../messages/index.ts";
import { hourAndMinute } from "../messages/time.ts";
import { Notice } from "../ui/states.tsx";
import styles from "./live-bar.module.css";

/** Says that what is shown may be out of date, while the connection is lost. */
export function LiveBar() {
  const { state, asOf } = useLive();
  if (state !== "lost") return null;
  return (
    <div className={styles.bar}>
      <Notice tone="warn">{m.problem.asOf(hourAndMinute(asOf))}</Notice>
    </div>
  );
}
