const plurals = new Intl.PluralRules("en");
const some = (n: number, one: string, other: string) => `${n} ${plurals.select(n) === "one" ? one : other}`;

/** The texts of the actions for selected runs. */
export const words = {
  marked: (n: number) => `${n} selected`,
  cancel: "Cancel runs",
  retry: "Retry",
  unmark: "Clear selection",
  cancelTitle: (n: number) => `Cancel ${some(n, "run", "runs")}?`,
  cancelDetail: "A running step may still finish. Finished runs stay as they are.",
  cancelled: (n: number) => `${some(n, "run", "runs")} cancelled`,
  remove: "Delete",
  removeTitle: (n: number) => `Delete ${some(n, "run", "runs")}?`,
  removeDetail: "They are deleted for good, with their logs and values. The statistics still count them.",
  removed: (n: number) => `${some(n, "run", "runs")} deleted`,
  retried: (n: number) => `${some(n, "run", "runs")} started again`,
  notAll: (failed: number, of: number) => `${failed} of ${of} could not be changed`,
  close: "Close",
  failedRuns: "Runs that could not be changed",
  others: (n: number) => `${some(n, "more run", "more runs")} could not be changed.`,
  progress: (done: number, of: number) => `${done} of ${of}`,
};
