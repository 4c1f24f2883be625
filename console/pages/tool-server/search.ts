import { type Search, textIn } from "../../search.ts";

export const TABS = ["tools", "used", "changes", "dropped"] as const;
export type Tab = (typeof TABS)[number];

export interface ServerSearch {
  tab?: Tab | undefined;
  q?: string | undefined;
  /** The id of the open tool. */
  tool?: string | undefined;
}

export const serverSearch = (search: Search): ServerSearch => ({
  tab: TABS.find(tab => tab === search.tab),
  q: textIn(search, "q"),
  tool: textIn(search, "tool"),
});
