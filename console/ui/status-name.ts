/**
 * States of runs and steps. `pending` is a run that waits for a worker, `unstarted` a step that the run has not reached,
 * and `asking` means suspended and waiting for a person.
 */
export type StatusName =
  | "completed"
  | "running"
  | "retrying"
  | "suspended"
  | "asking"
  | "failed"
  | "pending"
  | "unstarted"
  | "cancelled"
  | "skipped";
