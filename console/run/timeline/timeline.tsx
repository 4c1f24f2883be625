import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef } from "react";
import type { Execution } from "../../../sdk/definition.ts";
import type { Step } from "../../data/run-types.ts";
import { timelineTexts as words } from "../../messages/en-timeline.ts";
import { cx } from "../../ui/cx.ts";
import { useClockText } from "../../ui/time.tsx";
import { criticalPath } from "../fold/critical-path.ts";
import { rowKeyOf } from "../fold/rows.ts";
import { type Span, timeScale } from "../fold/timescale.ts";
import type { GraphEdge } from "../graph/definition.ts";
import { StepIcon } from "../graph/step-look.tsx";
import { nameOf } from "../passes.ts";
import type { Tree } from "../use-tree.ts";
import { Bars, partsOf, percent } from "./bars.tsx";
import { Ruler } from "./ruler.tsx";
import styles from "./timeline.module.css";
import { spanFromText, spanText } from "./zoom.ts";
import { ZoomTools } from "./zoom-tools.tsx";

interface TimelineProps {
  run: Execution;
  tree: Tree;
  edges: readonly GraphEdge[];
  selected: string | undefined;
  onSelect: (step: Step) => void;
  /** The visible period, from the address. */
  zoom: string | undefined;
  onZoom: (zoom: string | undefined) => void;
}

const NOTHING: ReadonlySet<string> = new Set();

/** The steps with their bars, on a scale that folds long pauses. */
export default function Timeline({ run, tree, edges, selected, onSelect, zoom, onZoom }: TimelineProps) {
  const isOver = run.finishedAt !== null;
  const clock = useClockText(now => (isOver ? "0" : String(now - (now % 1_000))));
  const now = run.finishedAt === null ? Number(clock) : Date.parse(run.finishedAt);
  const rows = useMemo(() => tree.rows.filter(row => row.kind === "step"), [tree.rows]);
  const critical = useMemo(
    () =>
      isOver
        ? criticalPath(
            rows.map(({ step }) => step),
            edges,
          )
        : NOTHING,
    [rows, edges, isOver],
  );
  const { scale, whole, shown } = useMemo(() => {
    const start = Date.parse(run.startedAt ?? run.createdAt);
    const parts = rows.flatMap(({ step }) => partsOf(step, now) ?? []);
    const all: Span = { from: start, to: Math.max(now, start + 1, ...parts.map(one => one.all.to)) };
    const part = spanFromText(zoom, start) ?? all;
    return {
      whole: all,
      shown: part,
      scale: timeScale(
        part,
        parts.map(({ work }) => work),
      ),
    };
  }, [rows, now, run.startedAt, run.createdAt, zoom]);
  const show = (span: Span | undefined) => onZoom(span && spanText(span, whole));
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 32,
    getItemKey: n => rows[n]?.key ?? n,
    overscan: 12,
  });
  return (
    <div className={styles.timeline}>
      <div className={styles.axis}>
        <ZoomTools shown={shown} whole={whole} onZoom={show} />
        <Ruler scale={scale} start={whole.from} onZoom={show} />
      </div>
      <div ref={scroller} className={styles.scroller}>
        <ul style={{ blockSize: virtual.getTotalSize() }} className={styles.rows} aria-label={words.label}>
          {virtual.getVirtualItems().map(({ index, key, start: top, size }) => {
            const { step, depth } = rows[index]!;
            const parts = partsOf(step, now);
            const isSelected = rowKeyOf(step) === selected;
            return (
              <li key={key} style={{ transform: `translateY(${top}px)`, blockSize: size }} className={styles.item}>
                <button
                  type="button"
                  className={cx(styles.row, isSelected && styles.selected)}
                  aria-current={isSelected || undefined}
                  onClick={() => onSelect(step)}
                >
                  <span className={styles.label} style={{ paddingInlineStart: 12 + depth * 14 }}>
                    <StepIcon type={step.type} size={15} />
                    <span className={styles.name}>{nameOf(step)}</span>
                  </span>
                  <span className={styles.track}>
                    {scale.segments.map(segment =>
                      segment.folded ? (
                        <span
                          key={segment.from}
                          className={styles.gap}
                          style={{ insetInlineStart: percent(segment.left), inlineSize: percent(segment.width) }}
                        />
                      ) : null,
                    )}
                    {parts ? (
                      <Bars
                        step={step}
                        parts={parts}
                        scale={scale}
                        shown={shown}
                        critical={critical.has(rowKeyOf(step))}
                      />
                    ) : null}
                  </span>
                </button>
              </li>
            );
          })}
        </ul>
      </div>
      <ul className={styles.legend}>
        <li>
          <span className={styles.workSign} aria-hidden /> {words.work}
        </li>
        <li>
          <span className={styles.waitSign} aria-hidden /> {words.waiting}
        </li>
        <li>
          <span className={cx(styles.waitSign, styles.people)} aria-hidden /> {words.person}
        </li>
        {critical.size > 0 ? (
          <li title={words.criticalHint}>
            <span className={styles.criticalSign} aria-hidden /> {words.critical(critical.size)}
          </li>
        ) : null}
      </ul>
    </div>
  );
}
