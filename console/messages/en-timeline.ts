import { count } from "./count.ts";

/** The texts of the timeline of a run. */
export const timelineTexts = {
  label: "Steps over time",
  folded: (duration: string) => `${duration} without activity`,
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  whole: "Show the whole run",
  earlier: "Earlier",
  later: "Later",
  tools: "Period that is shown",
  shown: (from: string, to: string) => `Shows ${from} to ${to} after the start`,
  drag: "Drag to zoom in. A double click shows the whole run.",
  isEarlier: "Before the period that is shown",
  isLater: "After the period that is shown",
  work: "Work",
  waiting: "Waiting",
  person: "Waiting for a person",
  critical: (steps: number) => `Critical path, ${count(steps, "row", "rows")}`,
  criticalHint: "The rows that decided how long the run took: each waited for the one before it.",
  isCritical: "on the critical path",
};
