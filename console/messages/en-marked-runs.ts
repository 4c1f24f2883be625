import { count } from "./count.ts";

/** The texts of the actions for selected runs. */
export const words = {
  marked: (n: number) => `${n} selected`,
  cancel: "Cancel runs",
  retry: "Retry",
  unmark: "Clear selection",
  cancelTitle: (n: number) => `Cancel ${count(n, "run", "runs")}?`,
  cancelDetail: "A running step may still finish. Finished runs stay as they are.",
  cancelled: (n: number) => `${count(n, "run", "runs")} cancelled`,
  remove: "Delete",
  removeTitle: (n: number) => `Delete ${count(n, "run", "runs")}?`,
  removeDetail: "They are deleted for good, with their logs and values. The statistics still count them.",
  removed: (n: number) => `${count(n, "run", "runs")} deleted`,
  retried: (n: number) => `${count(n, "run", "runs")} started again`,
  notAll: (failed: number, of: number) => `${failed} of ${of} could not be changed`,
  close: "Close",
  failedRuns: "Runs that could not be changed",
  others: (n: number) => `${count(n, "more run", "more runs")} could not be changed.`,
  progress: (done: number, of: number) => `${done} of ${of}`,
};
