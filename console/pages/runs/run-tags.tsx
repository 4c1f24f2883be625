import { Link } from "@tanstack/react-router";
import type { Run } from "../../data/runs.ts";
import { m } from "../../messages/index.ts";
import styles from "./run-tags.module.css";

const textOf = ([name, value]: [string, string]) => `${name}=${value}`;
const labelsOf = ({ labels = {} }: Run) => Object.entries(labels);

export const hasKey = ({ key }: Run): boolean => key !== undefined;
export const hasLabels = (run: Run): boolean => labelsOf(run).length > 0;

/** The most labels that a row shows, so that each is readable. The others are counted. */
const [MAX_SHOWN, MAX_BESIDE_KEY, MAX_IN_COLUMN] = [3, 1, 2];

interface TagsProps {
  run: Run;
  w: string;
}

/** The key of a run, as a link to the runs with this key. */
export function RunKey({ run: { key }, w }: TagsProps) {
  if (key === undefined) return null;
  return (
    <Link to="/w/$w/runs" params={{ w }} search={{ key }} className={styles.key} title={m.runs.onlyThese(key)}>
      {key}
    </Link>
  );
}

/** The labels of a run, each as a link to the runs with this label. */
export function RunLabels({ run, w, most }: TagsProps & { most: number }) {
  const all = labelsOf(run);
  const hidden = all.slice(most);
  return (
    <>
      {all.slice(0, most).map(label => (
        <Link
          key={label[0]}
          to="/w/$w/runs"
          params={{ w }}
          search={{ label: textOf(label) }}
          className={styles.tag}
          title={m.runs.onlyThese(textOf(label))}
        >
          <span className={styles.name}>{label[0]}=</span>
          <span className={styles.value}>{label[1]}</span>
        </Link>
      ))}
      {hidden.length > 0 ? (
        <span className={styles.more} title={hidden.map(textOf).join(", ")}>
          +{hidden.length}
        </span>
      ) : null}
    </>
  );
}

/** The key and the labels of a run, for tables without columns for them. */
export function RunTags({ run, w }: TagsProps) {
  if (!hasKey(run) && !hasLabels(run)) return null;
  return (
    <span className={styles.tags}>
      <RunKey run={run} w={w} />
      <RunLabels run={run} w={w} most={run.key === undefined ? MAX_SHOWN : MAX_BESIDE_KEY} />
    </span>
  );
}

/** The cell of the key. */
export const KeyCell = ({ run, w }: TagsProps) => (
  <td className={styles.column}>
    <span className={styles.tags}>
      <RunKey run={run} w={w} />
    </span>
  </td>
);

/** The cell of the labels. */
export const LabelsCell = ({ run, w }: TagsProps) => (
  <td className={styles.column}>
    <span className={styles.tags}>
      <RunLabels run={run} w={w} most={MAX_IN_COLUMN} />
    </span>
  </td>
);
