import { numberIn, type Search } from "../../search.ts";

/** The version in sight, and the one with which it is compared. */
export const versionsSearch = (search: Search): { v?: number | undefined; from?: number | undefined } => ({
  v: numberIn(search, "v"),
  from: numberIn(search, "from"),
});
