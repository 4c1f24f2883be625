import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronRight, Filter } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef } from "react";
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
import { type Row, rowKeyOf } from "./fold/rows.ts";
import { StepIcon } from "./graph/step-look.tsx";
import { nameOf, passesText } from "./passes.ts";
import { stateOf } from "./step-state.ts";
import styles from "./step-tree.module.css";
import type { Tree } from "./use-tree.ts";

interface StepTreeProps {
  tree: Tree;
  /** The key of the selected row. */
  selected: string | undefined;
  onSelect: (step: Step) => void;
  /** Rendered at the end of each row, such as the bars of the timeline. */
  aside?: ((row: Row) => ReactNode) | undefined;
}

function howLong(step: Step) {
  if (step.items && step.status !== "pending") return passesText(step.items);
  if (step.status === "running" && step.startedAt) return <Duration from={step.startedAt} to={null} />;
  return step.durationMs === null || step.finishedAt === null ? "" : durationText(step.durationMs);
}

function StepRow({ row, tree }: { row: Row & { kind: "step" }; tree: Tree }) {
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
          aria-pressed={tree.failedOnly.has(key)}
          className={cx(styles.filter, tree.failedOnly.has(key) && styles.on)}
          onClick={event => {
            event.stopPropagation();
            tree.setFailedOnly(key, !tree.failedOnly.has(key));
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

function content(row: Row, tree: Tree, openRun: (id: string) => unknown) {
  if (row.kind === "step") return <StepRow row={row} tree={tree} />;
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
      <button type="button" className={styles.more} tabIndex={-1} onClick={() => tree.more(row.of)}>
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

/** The steps of a run as a tree. It gives users of keyboards and screen readers the same information as the graph. */
export function StepTree({ tree, selected, onSelect, aside }: StepTreeProps) {
  const { rows } = tree;
  const openRun = useOpenRun(useWorkspace());
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 32,
    getItemKey: n => rows[n]?.key ?? n,
    overscan: 12,
  });
  const at = rows.findIndex(row => row.kind === "step" && row.key === selected);
  const current = Math.max(0, at);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at);
  }, [at, virtual]);
  const choose = (n: number, by: number) => {
    for (let next = n; next >= 0 && next < rows.length; next += by) {
      const row = rows[next];
      if (row?.kind === "step") return onSelect(row.step);
    }
  };
  const onKey = (event: KeyboardEvent) => {
    const row = rows[current];
    if (!row) return;
    const acts: Record<string, () => void> = {
      ArrowDown: () => choose(at < 0 ? 0 : current + 1, 1),
      ArrowUp: () => choose(current - 1, -1),
      Home: () => choose(0, 1),
      End: () => choose(rows.length - 1, -1),
      ArrowRight: () => (row.expanded === false ? tree.toggle(row) : choose(current + 1, 1)),
      ArrowLeft: () => {
        if (row.expanded) return tree.toggle(row);
        const parent = rows.slice(0, current).findLastIndex(({ depth }) => depth < row.depth);
        choose(parent, -1);
      },
      Enter: () => tree.toggle(row),
      f: () => row.kind === "step" && row.step.items && tree.setFailedOnly(row.key, !tree.failedOnly.has(row.key)),
    };
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  // The tree has the focus, and handles keys and clicks for its rows.
  const onClick = ({ target }: MouseEvent) => {
    const n = (target as Element).closest<HTMLElement>("[data-line]")?.dataset.line;
    const row = n === undefined ? undefined : rows[Number(n)];
    if (row?.kind === "step" || row?.kind === "attempt") onSelect(row.step);
  };
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="tree"
      aria-label={runTexts.run.steps}
      tabIndex={0}
      aria-activedescendant={rows[current] ? `row-${rows[current].key}` : undefined}
      onKeyDown={onKey}
      onClick={onClick}
    >
      <div className={styles.canvas} style={{ blockSize: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start, size }) => {
          const row = rows[index]!;
          const isSelected = row.kind === "step" && rowKeyOf(row.step) === selected;
          return (
            <div
              key={key}
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
                    tree.toggle(row);
                  }}
                >
                  <ChevronRight size={14} aria-hidden />
                </button>
              )}
              {content(row, tree, openRun)}
              {aside?.(row)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
