import { useState } from "react";
import { words } from "../../messages/en-memory.ts";
import { fullTime } from "../../messages/time.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./memory.module.css";

const STEPS = 100;

/** Selects the time for which memories are shown, between the creation of the workspace and now. */
export function TimeSlider({
  asOf,
  onChange,
}: {
  asOf: string | undefined;
  onChange: (asOf: string | undefined) => void;
}) {
  const { createdAt } = useWorkspace();
  // The end is the time when the page opened, so that the handle does not drift.
  const [end] = useState(() => Date.now());
  const begin = Date.parse(createdAt);
  const stepMs = Math.max(1, (end - begin) / STEPS);
  const place = asOf === undefined ? STEPS : Math.round((Date.parse(asOf) - begin) / stepMs);
  const text = asOf === undefined ? words.now : words.asOf(fullTime(asOf));
  return (
    <div className={styles.time}>
      <label className={styles.timeLabel}>
        <span>{words.time}</span>
        <input
          type="range"
          min={0}
          max={STEPS}
          value={place}
          aria-valuetext={text}
          onChange={({ target: { valueAsNumber: next } }) =>
            onChange(next >= STEPS ? undefined : new Date(begin + next * stepMs).toISOString())
          }
        />
      </label>
      <span className={styles.when}>{text}</span>
      {asOf === undefined ? null : (
        <Button size="small" tone="quiet" onClick={() => onChange(undefined)}>
          {words.backToNow}
        </Button>
      )}
    </div>
  );
}
