import { ChevronRight, Filter } from "lucide-react";
import { memo, type ReactNode } from "react";
import type { Step } from "../data/run-types.ts";
import { logTexts as log } from "../messages/en-log.ts";
import { runTexts } from "../messages/en-run.ts";
import { m } from "../messages/index.ts";
import { durationText } from "../messages/time.ts";
import { useOpenRun } from "../shell/use-open-run.ts";
import { useWorkspace } from "../shell/workspace.ts";
import { IconButton } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Status } from "../ui/status.tsx";
import { Duration } from "../ui/time.tsx";
import { OUTCOME_STATES } from "./fold/attempts.ts";
import type { Row } from "./fold/rows.ts";
import { StepIcon } from "./graph/step-look.tsx";
import { nameOf, passesText } from "./passes.ts";
import { stateOf } from "./step-state.ts";
import styles from "./step-tree.module.css";
import type { Tree } from "./use-tree.ts";

/** The actions of rows. They stay the same, so that rows need not render again. */
export type RowActions = Pick<Tree, "toggle" | "more" | "setFailedOnly">;

interface TreeRowProps {
  row: Row;
  index: number;
  start: number;
  size: number;
  isSelected: boolean;
  /** Only failed items are shown below it. */
  isFiltered: boolean;
  acts: RowActions;
  aside: ((row: Row) => ReactNode) | undefined;
}

function howLong(step: Step) {
  if (step.items && step.status !== "pending") return passesText(step.items);
  if (step.status === "running" && step.startedAt) return <Duration from={step.startedAt} to={null} />;
  return step.durationMs === null || step.finishedAt === null ? "" : durationText(step.durationMs);
}

function StepRow({ row, isFiltered, acts }: { row: Row & { kind: "step" }; isFiltered: boolean; acts: RowActions }) {
  const { step, key } = row;
  const failedItems = step.items?.failed ?? 0;
  return (
    <>
      <span className={styles.icon}>
        <StepIcon type={step.type} size={15} />
      </span>
      <span className={styles.name}>{nameOf(step)}</span>
      {step.attempt > 1 ? (
        <span className={styles.attempt}>{runTexts.run.attemptOf(step.attempt, step.attempts)}</span>
      ) : null}
      {failedItems > 0 && row.expanded ? (
        <IconButton
          label={runTexts.run.failedOnly(failedItems)}
          size="small"
          tabIndex={-1}
          aria-pressed={isFiltered}
          className={cx(styles.filter, isFiltered && styles.on)}
          onClick={event => {
            event.stopPropagation();
            acts.setFailedOnly(key, !isFiltered);
          }}
        >
          <Filter size={13} aria-hidden />
        </IconButton>
      ) : null}
      <span className={styles.time}>{howLong(step)}</span>
      <Status status={stateOf(step)} iconOnly />
    </>
  );
}

function Content({ row, isFiltered, acts }: Pick<TreeRowProps, "row" | "isFiltered" | "acts">) {
  const openRun = useOpenRun(useWorkspace());
  if (row.kind === "step") return <StepRow row={row} isFiltered={isFiltered} acts={acts} />;
  if (row.kind === "child") {
    const { step, run } = row;
    return (
      <>
        <span className={styles.icon}>
          <StepIcon type={step.type} size={14} />
        </span>
        <button type="button" tabIndex={-1} className={styles.child} onClick={() => void openRun(run)}>
          {nameOf(step)}
        </button>
        <span className={styles.time}>{howLong(step)}</span>
        <Status status={stateOf(step)} iconOnly />
      </>
    );
  }
  if (row.kind === "attempt") {
    const { attempt, outcome, durationMs, error } = row.attempt;
    return (
      <>
        <span className={styles.whole}>{log.attempt(attempt, null)}</span>
        <span className={styles.words}>{error?.message ?? log.outcome[outcome]}</span>
        <span className={styles.time}>{durationMs === undefined ? "" : durationText(durationMs)}</span>
        <Status status={OUTCOME_STATES[outcome]} iconOnly />
      </>
    );
  }
  if (row.kind === "turn") {
    const { turn, text, inputTokens, outputTokens } = row.turn;
    return (
      <>
        <span className={styles.name}>{runTexts.run.turn(turn)}</span>
        <span className={styles.words}>{text}</span>
        <span className={styles.time}>{runTexts.run.tokens(inputTokens + outputTokens)}</span>
      </>
    );
  }
  if (row.kind === "call") {
    const { tool, status, approved } = row.call;
    return (
      <>
        <span className={styles.icon}>
          <StepIcon type="tool" size={14} />
        </span>
        <span className={styles.name}>{tool}</span>
        <span className={styles.time}>
          {approved === undefined ? "" : approved ? runTexts.run.approved : runTexts.run.rejected}
        </span>
        <Status status={status === "open" ? "running" : status === "completed" ? "completed" : "failed"} iconOnly />
      </>
    );
  }
  if (row.kind === "more") {
    return (
      <button type="button" className={styles.more} tabIndex={-1} onClick={() => acts.more(row.of)}>
        {runTexts.run.showMore(row.shown)}
      </button>
    );
  }
  return (
    <span className={styles.words}>
      {row.kind === "empty" ? (row.failedOnly ? runTexts.run.noneFailed : runTexts.run.noSteps) : m.loading}
    </span>
  );
}

/** Each answer makes new rows, often with the same content. */
function isSameRow(one: Row, other: Row): boolean {
  const [before, after] = [Object.entries(one), new Map(Object.entries(other))];
  return before.length === after.size && before.every(([name, value]) => after.get(name) === value);
}

const isSame = ({ row, ...before }: TreeRowProps, { row: next, ...after }: TreeRowProps) =>
  isSameRow(row, next) && Object.entries(before).every(([name, value]) => after[name as keyof typeof after] === value);

/** One row of the step tree. It renders again only if it changes, because a live run has dozens of rows and many events. */
export const TreeRow = memo(function TreeRow({
  row,
  index,
  start,
  size,
  isSelected,
  isFiltered,
  acts,
  aside,
}: TreeRowProps) {
  return (
    <div
      id={`row-${row.key}`}
      data-line={index}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-selected={isSelected}
      {...(row.expanded !== undefined && { "aria-expanded": row.expanded })}
      className={cx(styles.row, isSelected && styles.selected, row.kind !== "step" && styles.minor)}
      style={{ transform: `translateY(${start}px)`, blockSize: size, paddingInlineStart: 8 + row.depth * 16 }}
    >
      {row.expanded === undefined ? (
        <span className={styles.twist} />
      ) : (
        <button
          type="button"
          tabIndex={-1}
          aria-hidden
          className={styles.twist}
          data-open={row.expanded || undefined}
          onClick={event => {
            event.stopPropagation();
            acts.toggle(row);
          }}
        >
          <ChevronRight size={14} aria-hidden />
        </button>
      )}
      <Content row={row} isFiltered={isFiltered} acts={acts} />
      {aside?.(row)}
    </div>
  );
}, isSame);
