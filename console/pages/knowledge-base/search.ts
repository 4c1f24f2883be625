import { type Search, textIn } from "../../search.ts";

export const TABS = ["entries", "files", "search"] as const;
export type Tab = (typeof TABS)[number];

export interface BaseSearch {
  tab?: Tab | undefined;
  /** Words that entries have, or the question of a search. */
  q?: string | undefined;
  /** The entry that is open. */
  e?: string | undefined;
}

export const baseSearch = (search: Search): BaseSearch => ({
  tab: TABS.find(tab => tab === search.tab),
  q: textIn(search, "q"),
  e: textIn(search, "e"),
});
