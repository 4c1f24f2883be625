import { Link } from "@tanstack/react-router";
import type { Run } from "../../data/runs.ts";
import { m } from "../../messages/index.ts";
import styles from "./run-tags.module.css";

/** How many labels a row has room for, so that each can be read; the others are counted. */
const [MAX_SHOWN, MAX_BESIDE_KEY] = [3, 1];

/** The key and the labels of a run. Each leads to the runs that have it too. */
export function RunTags({ run: { key, labels = {} }, w }: { run: Run; w: string }) {
  const all = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  if (key === undefined && all.length === 0) return null;
  const most = key === undefined ? MAX_SHOWN : MAX_BESIDE_KEY;
  const hidden = all.slice(most);
  return (
    <span className={styles.tags}>
      {key === undefined ? null : (
        <Link to="/w/$w/runs" params={{ w }} search={{ key }} className={styles.key} title={m.runs.onlyThese(key)}>
          {key}
        </Link>
      )}
      {all.slice(0, most).map(label => (
        <Link
          key={label}
          to="/w/$w/runs"
          params={{ w }}
          search={{ label }}
          className={styles.tag}
          title={m.runs.onlyThese(label)}
        >
          {label}
        </Link>
      ))}
      {hidden.length > 0 ? (
        <span className={styles.more} title={hidden.join(", ")}>
          +{hidden.length}
        </span>
      ) : null}
    </span>
  );
}
