/** States of runs and steps. `asking` means suspended and waiting for a person. */
export type StatusName =
  "completed" | "running" | "retrying" | "suspended" | "asking" | "failed" | "pending" | "cancelled" | "skipped";
