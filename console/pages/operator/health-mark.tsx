import { operator as words } from "../../messages/en-operator.ts";
import { Status } from "../../ui/status.tsx";
import styles from "./operator.module.css";

const MARKS = { ok: "completed", degraded: "suspended", down: "failed", unknown: "pending" } as const;
export type HealthState = "ok" | "degraded" | "down";

/** A health state, as a shape and a word. */
export function HealthMark({ state, word = words.state[state] }: { state: keyof typeof MARKS; word?: string }) {
  return (
    <Status status={MARKS[state]} className={styles.mark}>
      {word}
    </Status>
  );
}
