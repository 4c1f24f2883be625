import { ChevronLeft, ChevronRight } from "lucide-react";
import type { Step } from "../../data/run-types.ts";
import { m } from "../../messages/index.ts";
import { timelineTexts as words } from "../../messages/en-timeline.ts";
import { durationText, fullTime } from "../../messages/time.ts";
import { cx } from "../../ui/cx.ts";
import { lookOf } from "../graph/step-look.tsx";
import type { Span, TimeScale } from "../fold/timescale.ts";
import { stateOf } from "../step-state.ts";
import styles from "./timeline.module.css";

/** The whole period of a step, and the part of it in which it worked. */
export interface Parts {
  all: Span;
  work: Span;
}

const ms = (at: string) => Date.parse(at);
export const percent = (share: number): string => `${(share * 100).toFixed(3)}%`;

/** Splits the time of a step: its last attempt is work, the time before is waiting. */
export function partsOf(step: Step, now: number): Parts | undefined {
  if (step.startedAt === null) return undefined;
  const from = ms(step.startedAt);
  const to = step.finishedAt === null ? now : ms(step.finishedAt);
  const all = { from, to: Math.max(from, to) };
  if (step.items || step.status === "running") return { all, work: all };
  const worked = step.finishedAt === null ? 0 : (step.durationMs ?? 0);
  return { all, work: { from: Math.max(all.from, all.to - worked), to: all.to } };
}

interface BarsProps {
  step: Step;
  parts: Parts;
  scale: TimeScale;
  shown: Span;
  critical: boolean;
}

/** The bars of one step. If they are outside of the visible period, it shows in which direction. */
export function Bars({ step, parts: { all, work }, scale, shown, critical }: BarsProps) {
  const state = stateOf(step);
  const length = (
    <>
      {durationText(all.to - all.from)}
      <span className="visually-hidden">
        , {m.status[state]}
        {critical ? `, ${words.isCritical}` : null}
      </span>
    </>
  );
  if (all.to < shown.from || all.from > shown.to) {
    const isEarlier = all.to < shown.from;
    return (
      <span
        className={cx(styles.outside, !isEarlier && styles.later)}
        title={isEarlier ? words.isEarlier : words.isLater}
      >
        {isEarlier ? <ChevronLeft size={14} aria-hidden /> : null}
        {length}
        {isEarlier ? null : <ChevronRight size={14} aria-hidden />}
      </span>
    );
  }
  const place = ({ from, to }: Span) => ({
    insetInlineStart: percent(scale.at(from)),
    inlineSize: percent(scale.at(to) - scale.at(from)),
  });
  const [left, right] = [scale.at(all.from), scale.at(all.to)];
  // The text is after the bar, or before it if there is more space.
  const isBefore = right > 0.85 && left > 0.2;
  return (
    <>
      {critical ? <span className={styles.critical} style={place(all)} /> : null}
      {work.from > all.from ? (
        <span
          className={cx(styles.wait, lookOf(step.type).category === "people" && styles.people)}
          style={place({ from: all.from, to: work.from })}
        />
      ) : null}
      <span
        className={cx(styles.bar, styles[state])}
        style={place(work)}
        title={fullTime(new Date(all.from).toISOString())}
      />
      <span
        className={styles.length}
        style={isBefore ? { insetInlineEnd: percent(1 - left) } : { insetInlineStart: percent(right) }}
      >
        {length}
      </span>
    </>
  );
}
