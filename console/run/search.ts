/** The views of a run. */
export const RUN_VIEWS = ["graph", "timeline", "log"] as const;
export type RunViewName = (typeof RUN_VIEWS)[number];

/** What the address of the page says: the view, the selected step, and the items around it. */
export interface RunSearch {
  view?: RunViewName | undefined;
  n?: string | undefined;
  p?: string | undefined;
}
