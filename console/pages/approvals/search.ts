import { SHOWN, type Shown } from "../../data/approvals.ts";
import { type Search, textIn, wordsIn } from "../../search.ts";

/** What the address of the page says. */
export interface ApprovalsSearch {
  show?: Shown | "answered" | undefined;
  /** Of the answered questions, those of this person and workflow. */
  by?: string | undefined;
  workflow?: string | undefined;
  /** The question in sight: its run, step, items and name. */
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
