import { Link } from "@tanstack/react-router";
import { runPath } from "../../data/paths.ts";
import type { Run, RunSort } from "../../data/runs.ts";
import { m } from "../../messages/index.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { cx } from "../../ui/cx.ts";
import cut from "../../ui/cut.module.css";
import { useMedia } from "../../ui/use-media.ts";
import { startText } from "../../run/run-start.ts";
import { Duration, Time } from "../../ui/time.tsx";
import { hasKey, hasLabels, KeyCell, LabelsCell, RunTags } from "./run-tags.tsx";
import { runDetail, RunStatus } from "./run-status.tsx";
import styles from "./runs-table.module.css";
import type { SelectedRuns } from "./use-selected-runs.ts";

/** From this width on, there is space for columns of the key and the labels. */
const WIDE = "(min-width: 1280px)";

interface RunsTableProps {
  runs: readonly Run[];
  w: string;
  /** The selection. Undefined if rows cannot be selected. */
  marks?: SelectedRuns | undefined;
  /** The order of the rows. By default newest first. */
  sort?: RunSort | undefined;
}

const nameOf = ({ workflowName, workflowId }: Run) => workflowName ?? workflowId.slice(0, 8);

/** A table of runs. On phones each row becomes two lines. The link of the name covers the whole row. */
export function RunsTable({ runs, w, marks, sort }: RunsTableProps) {
  const isWide = useMedia(WIDE);
  // Empty columns would only take space.
  const keys = isWide && runs.some(hasKey);
  const labels = isWide && runs.some(hasLabels);
  return (
    <table
      className={styles.table}
      data-markable={marks !== undefined || undefined}
      data-sort={sort}
      data-tagged={keys || labels || undefined}
      aria-label={m.runs.list}
    >
      <thead>
        <tr>
          {marks ? (
            <th scope="col" className={styles.mark}>
              <span className="visually-hidden">{m.shortcut.mark}</span>
            </th>
          ) : null}
          <th scope="col" className={styles.status}>
            {m.runs.status}
          </th>
          <th scope="col">{m.runs.workflow}</th>
          {keys ? (
            <th scope="col" className={styles.key}>
              {m.runs.filters.key}
            </th>
          ) : null}
          {labels ? (
            <th scope="col" className={styles.labels}>
              {m.runs.labels}
            </th>
          ) : null}
          <th scope="col" className={styles.who}>
            {m.runs.trigger}
          </th>
          <th scope="col" className={styles.when} aria-sort={sort === "longest" ? undefined : "descending"}>
            {sort === "ended" ? m.runs.ended : m.runs.started}
          </th>
          <th scope="col" className={styles.took} aria-sort={sort === "longest" ? "descending" : undefined}>
            {m.runs.duration}
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map(run => {
          const { id, workflowVersion, startedByName, createdAt, startedAt, finishedAt, attempt } = run;
          const matters = runDetail(run);
          // There is no space for both.
          const starter = run.startedByKey?.name ?? startedByName;
          const isMarked = marks?.ids.has(id) ?? false;
          return (
            <tr key={id} data-row={id} data-marked={isMarked || undefined}>
              {marks ? (
                <td className={styles.mark}>
                  <Checkbox
                    label={`${m.runs.markOne} ${nameOf(run)} ${id.slice(-6)}`}
                    checked={isMarked}
                    onChange={() => marks.toggle(id)}
                  />
                </td>
              ) : null}
              <td className={styles.status}>
                <RunStatus run={run} />
              </td>
              <td className={styles.what}>
                <div className={styles.line}>
                  <Link to={runPath(w, run)} className={cx(styles.link, cut.line)}>
                    {nameOf(run)}
                  </Link>
                  <span className={styles.version}>v{workflowVersion}</span>
                  {attempt > 1 ? <span className={styles.version}>{m.runs.attempt(attempt)}</span> : null}
                  {isWide ? null : <RunTags run={run} w={w} />}
                  {matters ? <span className={cx(styles.matters, cut.line)}>{matters}</span> : null}
                </div>
              </td>
              {keys ? <KeyCell run={run} w={w} /> : null}
              {labels ? <LabelsCell run={run} w={w} /> : null}
              <td className={styles.who}>
                <span>{startText(run)}</span>
                {starter ? <span className={styles.person}>{starter}</span> : null}
              </td>
              <td className={styles.when}>
                <Time at={(sort === "ended" ? finishedAt : startedAt) ?? createdAt} />
              </td>
              <td className={styles.took}>
                <Duration from={startedAt} to={finishedAt} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
