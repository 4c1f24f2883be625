import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useMemo, useRef } from "react";
import type { Step } from "../data/run-types.ts";
import { runTexts } from "../messages/en-run.ts";
import { type Row, rowKeyOf } from "./fold/rows.ts";
import { TreeRow } from "./step-row.tsx";
import styles from "./step-tree.module.css";
import { useFollowedRow } from "./use-followed-row.ts";
import { useSelectedRow } from "./use-selected-row.ts";
import type { Tree } from "./use-tree.ts";

interface StepTreeProps {
  tree: Tree;
  /** The key of the selected row. */
  selected: string | undefined;
  onSelect: (step: Step) => void;
  /** Rendered at the end of each row, such as the bars of the timeline. */
  aside?: ((row: Row) => ReactNode) | undefined;
}

/** The steps of a run as a tree. It gives users of keyboards and screen readers the same information as the graph. */
export function StepTree({ tree, selected, onSelect, aside }: StepTreeProps) {
  const { rows, toggle, more, setFailedOnly } = tree;
  const acts = useMemo(() => ({ toggle, more, setFailedOnly }), [toggle, more, setFailedOnly]);
  const [chosen, select] = useSelectedRow(selected, onSelect);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 32,
    getItemKey: n => rows[n]?.key ?? n,
    overscan: 12,
  });
  const at = rows.findIndex(row => row.kind === "step" && row.key === chosen);
  const current = Math.max(0, at);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at);
  }, [at, virtual]);
  const follow = useFollowedRow(rows, chosen, virtual);
  const choose = (n: number, by: number) => {
    for (let next = n; next >= 0 && next < rows.length; next += by) {
      const row = rows[next];
      if (row?.kind === "step") return select(row.step);
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
      ArrowRight: () => (row.expanded === false ? toggle(row) : choose(current + 1, 1)),
      ArrowLeft: () => {
        if (row.expanded) return toggle(row);
        const parent = rows.slice(0, current).findLastIndex(({ depth }) => depth < row.depth);
        choose(parent, -1);
      },
      Enter: () => toggle(row),
      f: () => row.kind === "step" && row.step.items && setFailedOnly(row.key, !tree.failedOnly.has(row.key)),
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
    if (row?.kind === "step" || row?.kind === "attempt") select(row.step);
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
      {...follow}
    >
      <div className={styles.canvas} style={{ blockSize: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start, size }) => {
          const row = rows[index]!;
          return (
            <TreeRow
              key={key}
              {...{ row, index, start, size, acts, aside }}
              isSelected={row.kind === "step" && rowKeyOf(row.step) === chosen}
              isFiltered={tree.failedOnly.has(row.key)}
            />
          );
        })}
      </div>
    </div>
  );
}
