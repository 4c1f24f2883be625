import { SHOWN, type Shown } from "../../data/approvals.ts";
import { type Search, textIn, wordsIn } from "../../search.ts";

/** The search parameters of the page. */
export interface ApprovalsSearch {
  show?: Shown | "answered" | undefined;
  /** Filters of the answered questions: the person and the workflow. */
  by?: string | undefined;
  workflow?: string | undefined;
  /** The selected question: its run, step, items and name. */
  run?: string | undefined;
  n?: string | undefined;
  p?: string | undefined;
  q?: string | undefined;
}

export function approvalsSearch(search: Search): ApprovalsSearch {
  const [n, p, q] = [textIn(search, "n"), textIn(search, "p"), textIn(search, "q")];
  const [by, workflow] = [textIn(search, "by"), textIn(search, "workflow")];
  const [show] = wordsIn(search, "show", [...SHOWN, "answered"]) ?? [];
  return { show, by, workflow, run: textIn(search, "run"), n, p, q };
}
