import { type Search, textIn, wordsIn } from "../search.ts";

/** The views of a run. On narrow screens the steps are a view; elsewhere they are beside the others. */
export const RUN_VIEWS = ["steps", "graph", "timeline", "log", "data"] as const;
export type RunViewName = (typeof RUN_VIEWS)[number];

/** The tabs of a step. */
export const STEP_TABS = ["answer", "output", "input", "error", "attempts", "turns", "log", "setup"] as const;
export type StepTab = (typeof STEP_TABS)[number];

/** The search parameters of the page: the view, the selected step, the items around it, and the place in its values. */
export interface RunSearch {
  view?: RunViewName | undefined;
  n?: string | undefined;
  p?: string | undefined;
  tab?: StepTab | undefined;
  /** A JSON Pointer into the shown value. */
  at?: string | undefined;
  /** The period that the timeline shows, in milliseconds after the start: `120-4500`. */
  z?: string | undefined;
  /** The filters of the log: warnings and errors, a text, a step, an item. */
  level?: "problems" | undefined;
  q?: string | undefined;
  of?: string | undefined;
  /** An item or round, possibly inside another one: `each:17/inner:2`. */
  item?: string | undefined;
}

export const runSearch = (search: Search): RunSearch => ({
  view: wordsIn(search, "view", RUN_VIEWS)?.[0],
  n: textIn(search, "n"),
  p: textIn(search, "p"),
  tab: wordsIn(search, "tab", STEP_TABS)?.[0],
  at: textIn(search, "at"),
  z: textIn(search, "z"),
  level: wordsIn(search, "level", ["problems"])?.[0],
  q: textIn(search, "q"),
  of: textIn(search, "of"),
  item: textIn(search, "item"),
});
