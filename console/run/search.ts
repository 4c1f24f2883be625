/** The views of a run. The steps are a view of their own where the screen is narrow; elsewhere they stand beside the others. */
export const RUN_VIEWS = ["steps", "graph", "timeline", "log"] as const;
export type RunViewName = (typeof RUN_VIEWS)[number];

/** What the address of the page says: the view, the selected step, and the items around it. */
export interface RunSearch {
  view?: RunViewName | undefined;
  n?: string | undefined;
  p?: string | undefined;
}
