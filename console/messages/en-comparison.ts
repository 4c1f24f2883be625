import { count, numberText } from "./count.ts";

/** The texts of the page that compares two runs, and of lists of differences. */
export const comparison = {
  title: "Compare runs",
  crumb: "Compare",
  first: "First run",
  second: "Second run",
  swap: "Swap",
  retry: "Retry",
  retryHint: (failed: boolean) => (failed ? "From the failed step" : "From the start"),
  duration: "Duration",
  started: "Started",
  trigger: "Trigger",
  input: "Input",
  output: "Output",
  definition: "Workflow",
  steps: "Steps",
  same: "No difference",
  tooLarge: "Too large to compare here. Open both runs to see them.",
  notCompared: "The outputs were not compared, because there are too many or they are too large.",
  truncated: "There are more differences than are listed.",
  otherWorkflow: "These are runs of different workflows.",
  sameVersion: (version: number) => `Both ran version ${version}.`,
  versions: (from: number, to: number) => `Version ${from} → ${to}`,
  noVersion: "A version no longer exists.",
  stepAdded: "Step added",
  stepRemoved: "Step removed",
  stepChanged: "Step changed",
  edges: (added: number, removed: number) =>
    `${count(added, "connection added", "connections added")}, ${count(removed, "connection removed", "connections removed")}`,
  settings: "Settings changed",
  counts: ({ changed, added, removed, equal }: Record<"changed" | "added" | "removed" | "equal", number>) =>
    [
      changed > 0 ? `${numberText(changed)} changed` : "",
      added > 0 ? `${numberText(added)} only in the second` : "",
      removed > 0 ? `${numberText(removed)} only in the first` : "",
      `${numberText(equal)} equal`,
    ]
      .filter(Boolean)
      .join(" · "),
  equalSteps: (n: number) => count(n, "equal step", "equal steps"),
  change: { equal: "Equal", changed: "Changed", added: "Only in the second", removed: "Only in the first" },
  changes: (n: number) => count(n, "change", "changes"),
  op: { add: "added", remove: "removed", replace: "changed" },
  whole: "the whole value",
  notRun: "Did not run",
  took: "took",
};
