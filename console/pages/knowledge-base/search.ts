import { type Search, textIn } from "../../search.ts";

export const TABS = ["entries", "files", "search"] as const;
export type Tab = (typeof TABS)[number];

export interface BaseSearch {
  tab?: Tab | undefined;
  /** The words that entries must contain, or the question of a search. */
  q?: string | undefined;
  /** The id of the open entry. */
  e?: string | undefined;
}

export const baseSearch = (search: Search): BaseSearch => ({
  tab: TABS.find(tab => tab === search.tab),
  q: textIn(search, "q"),
  e: textIn(search, "e"),
});
