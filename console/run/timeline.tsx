import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef } from "react";
import type { Execution } from "../../sdk/definition.ts";
import type { Step } from "../data/run-types.ts";
import { runTexts } from "../messages/en-run.ts";
import { m } from "../messages/index.ts";
import { durationText, fullTime } from "../messages/time.ts";
import { cx } from "../ui/cx.ts";
import { useClockText } from "../ui/time.tsx";
import { rowKeyOf } from "./fold/rows.ts";
import { type Span, timeScale } from "./fold/timescale.ts";
import { StepIcon } from "./graph/step-look.tsx";
import { nameOf } from "./passes.ts";
import { stateOf } from "./step-state.ts";
import styles from "./timeline.module.css";
import type { Tree } from "./use-tree.ts";

interface TimelineProps {
  run: Execution;
  tree: Tree;
  selected: string | undefined;
  onSelect: (step: Step) => void;
}

const ms = (at: string) => Date.parse(at);
const percent = (share: number) => `${(share * 100).toFixed(3)}%`;

/** What a step did and for how long: its last attempt is work, what was before it is waiting. */
function partsOf(step: Step, now: number): { all: Span; work: Span } | undefined {
  if (step.startedAt === null) return undefined;
  const from = ms(step.startedAt);
  const to = step.finishedAt === null ? now : ms(step.finishedAt);
  const all = { from, to: Math.max(from, to) };
  if (step.items || step.status === "running") return { all, work: all };
  const worked = step.finishedAt === null ? 0 : (step.durationMs ?? 0);
  return { all, work: { from: Math.max(all.from, all.to - worked), to: all.to } };
}

/** A step's row: when it ran, on a scale on which long pauses are folded. */
export function Timeline({ run, tree, selected, onSelect }: TimelineProps) {
  const clock = useClockText(now => (run.finishedAt === null ? String(now - (now % 1_000)) : "0"));
  const now = run.finishedAt === null ? Number(clock) : ms(run.finishedAt);
  const rows = useMemo(() => tree.rows.filter(row => row.kind === "step"), [tree.rows]);
  const { scale, start } = useMemo(() => {
    const from = ms(run.startedAt ?? run.createdAt);
    const parts = rows.flatMap(({ step }) => partsOf(step, now) ?? []);
    const to = Math.max(now, from + 1, ...parts.map(({ all }) => all.to));
    return {
      start: from,
      scale: timeScale(
        { from, to },
        parts.map(({ work }) => work),
      ),
    };
  }, [rows, now, run.startedAt, run.createdAt]);
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
      <div className={styles.axis} aria-hidden>
        <span className={styles.corner} />
        <div className={styles.ruler}>
          {scale.segments.map(({ from, to, folded, left, width }) => (
            <span
              key={from}
              className={cx(styles.mark, folded && styles.fold)}
              style={{ insetInlineStart: percent(left), inlineSize: percent(width) }}
            >
              {folded ? (
                <span title={runTexts.run.folded(durationText(to - from))}>⋯</span>
              ) : width > 0.08 ? (
                `+${durationText(from - start)}`
              ) : (
                ""
              )}
            </span>
          ))}
        </div>
      </div>
      <div ref={scroller} className={styles.scroller}>
        <ul style={{ blockSize: virtual.getTotalSize() }} className={styles.rows} aria-label={runTexts.run.timeline}>
          {virtual.getVirtualItems().map(({ index, key, start: top, size }) => {
            const { step, depth } = rows[index]!;
            const parts = partsOf(step, now);
            const isSelected = rowKeyOf(step) === selected;
            const name = nameOf(step);
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
                    <span className={styles.name}>{name}</span>
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
                    {parts ? <Bars step={step} parts={parts} at={ms => scale.at(ms)} /> : null}
                  </span>
                </button>
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}

function Bars({ step, parts, at }: { step: Step; parts: { all: Span; work: Span }; at: (ms: number) => number }) {
  const { all, work } = parts;
  const place = ({ from, to }: Span) => ({
    insetInlineStart: percent(at(from)),
    inlineSize: percent(at(to) - at(from)),
  });
  const state = stateOf(step);
  const length = durationText(all.to - all.from);
  const right = at(all.to);
  return (
    <>
      {work.from > all.from ? (
        <span
          className={cx(styles.wait, step.type === "human" && styles.people)}
          style={place({ from: all.from, to: work.from })}
        />
      ) : null}
      <span
        className={cx(styles.bar, styles[state])}
        style={place(work)}
        title={fullTime(new Date(all.from).toISOString())}
      />
      <span
        className={cx(styles.length, right > 0.85 && styles.inside)}
        style={right > 0.85 ? { insetInlineEnd: percent(1 - at(all.from)) } : { insetInlineStart: percent(right) }}
      >
        {length}
        <span className="visually-hidden">, {m.status[state]}</span>
      </span>
    </>
  );
}
