import { type PointerEvent, useRef, useState } from "react";
import { timelineTexts as words } from "../../messages/en-timeline.ts";
import { durationText } from "../../messages/time.ts";
import { cx } from "../../ui/cx.ts";
import { useMedia } from "../../ui/use-media.ts";
import type { Span, TimeScale } from "../fold/timescale.ts";
import { percent } from "./bars.tsx";
import { APART_ON_PHONE, ticksOf } from "./ticks.ts";
import styles from "./timeline.module.css";

/** A press that moves by less is a click. */
const DRAG_PX = 6;

interface Brush {
  from: number;
  to: number;
}

/** The position of a pointer on the ruler, from 0 to 1 in reading direction. */
function placeOf({ clientX, currentTarget }: PointerEvent<HTMLElement>): number {
  const { left, right, width } = currentTarget.getBoundingClientRect();
  const isRightToLeft = getComputedStyle(currentTarget).direction === "rtl";
  const share = (isRightToLeft ? right - clientX : clientX - left) / Math.max(1, width);
  return Math.min(1, Math.max(0, share));
}

/** The times above the rows. Dragging selects a period; the buttons beside the ruler do the same by keyboard. */
export function Ruler({
  scale,
  start,
  onZoom,
}: {
  scale: TimeScale;
  start: number;
  onZoom: (span: Span | undefined) => void;
}) {
  const [brush, setBrush] = useState<Brush>();
  const began = useRef(0);
  const apart = useMedia("(max-width: 719px)") ? APART_ON_PHONE : undefined;
  const end = (event: PointerEvent<HTMLElement>) => {
    setBrush(undefined);
    if (!brush || Math.abs(event.clientX - began.current) < DRAG_PX) return;
    const [from, to] = [brush.from, placeOf(event)].toSorted((a, b) => a - b) as [number, number];
    onZoom({ from: scale.timeAt(from), to: scale.timeAt(to) });
  };
  return (
    <div
      className={styles.ruler}
      aria-hidden
      title={words.drag}
      onPointerDown={event => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        began.current = event.clientX;
        setBrush({ from: placeOf(event), to: placeOf(event) });
      }}
      onPointerMove={event => {
        if (brush) setBrush({ from: brush.from, to: placeOf(event) });
      }}
      onPointerUp={end}
      onPointerCancel={() => setBrush(undefined)}
      onDoubleClick={() => onZoom(undefined)}
    >
      {ticksOf(scale, start, sinceStart => `+${durationText(sinceStart)}`, apart).map(
        ({ from, to, left, width, folded, text }) => (
          <span
            key={from}
            className={cx(styles.mark, folded && styles.fold)}
            style={{ insetInlineStart: percent(left), inlineSize: percent(width) }}
          >
            {folded ? <span title={words.folded(durationText(to - from))}>⋯</span> : null}
            {text}
          </span>
        ),
      )}
      {brush ? (
        <span
          className={styles.brush}
          style={{
            insetInlineStart: percent(Math.min(brush.from, brush.to)),
            inlineSize: percent(Math.abs(brush.to - brush.from)),
          }}
        />
      ) : null}
    </div>
  );
}
