import { numberIn, type Search } from "../../search.ts";

/** The version that is shown, and the one that it is compared with. */
export const versionsSearch = (search: Search): { v?: number | undefined; from?: number | undefined } => ({
  v: numberIn(search, "v"),
  from: numberIn(search, "from"),
});
