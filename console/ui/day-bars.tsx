import type { KeyboardEvent } from "react";
import styles from "./day-bars.module.css";

export interface DayBar {
  day: string;
  /** The label of the bar: the day and its numbers. */
  label: string;
  good: number;
  bad: number;
  other: number;
}

interface DayBarsProps {
  days: readonly DayBar[];
  /** What the bars show, for screen readers. */
  label: string;
  height?: number;
  /** The selected bar. Undefined if bars cannot be selected. */
  picked?: string | undefined;
  onPick?: ((day: string | undefined) => void) | undefined;
}

/** Arrow keys move between bars, because all bars are one tab stop. */
function onArrow({ key, currentTarget }: KeyboardEvent<HTMLElement>): void {
  const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
  if (step === 0) return;
  const bars = [...currentTarget.querySelectorAll<HTMLElement>("button")];
  const at = bars.findIndex(bar => bar === document.activeElement);
  bars[Math.min(Math.max(at + step, 0), bars.length - 1)]?.focus();
}

/** One bar for each day. Failures are at the bottom in their own pattern, the rest above. */
export function DayBars({ days, label, height = 40, picked, onPick }: DayBarsProps) {
  const most = Math.max(1, ...days.map(({ good, bad, other }) => good + bad + other));
  const partOf = (n: number) => ({ blockSize: n === 0 ? 0 : Math.max(2, Math.round((n / most) * height)) });
  const bars = days.map(({ day, label: text, good, bad, other }, n) => {
    const parts = (
      <>
        <span className={styles.other} style={partOf(other)} />
        <span className={styles.good} style={partOf(good)} />
        <span className={styles.bad} style={partOf(bad)} />
      </>
    );
    if (!onPick) {
      return (
        <span key={day} className={styles.bar} title={text}>
          {parts}
        </span>
      );
    }
    const isPicked = day === picked;
    return (
      <button
        key={day}
        type="button"
        className={styles.bar}
        title={text}
        aria-label={text}
        aria-pressed={isPicked}
        tabIndex={isPicked || (picked === undefined && n === days.length - 1) ? 0 : -1}
        onClick={() => onPick(isPicked ? undefined : day)}
      >
        {parts}
      </button>
    );
  });
  return onPick ? (
    <div
      className={styles.bars}
      role="toolbar"
      aria-label={label}
      style={{ blockSize: height }}
      onKeyDown={onArrow}
      tabIndex={-1}
    >
      {bars}
    </div>
  ) : (
    <div className={styles.bars} role="img" aria-label={label} style={{ blockSize: height }}>
      {bars}
    </div>
  );
}
