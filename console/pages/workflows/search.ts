import { type Search, textIn, wordsIn } from "../../search.ts";

export interface WorkflowsSearch {
  q?: string | undefined;
  /** The workflow whose run dialog is open. */
  run?: string | undefined;
  /** The space whose workflows are shown. */
  s?: string | undefined;
  show?: "starred" | "trash" | undefined;
}

export const workflowsSearch = (search: Search): WorkflowsSearch => ({
  q: textIn(search, "q"),
  run: textIn(search, "run"),
  s: textIn(search, "s"),
  show: wordsIn(search, "show", ["starred", "trash"])?.[0],
});
