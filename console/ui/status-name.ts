/** States of runs and steps. `asking` is a suspended run that waits for a person. */
export type StatusName =
  "completed" | "running" | "retrying" | "suspended" | "asking" | "failed" | "pending" | "cancelled" | "skipped";
