import { RUN_SORT_NAMES, RUN_STATUSES, type RunFilters, STARTS } from "../../data/runs.ts";
import { numberIn, type Search, textIn, wordsIn } from "../../search.ts";

/** Reads the filters of the list from the search parameters. */
export const runsSearch = (search: Search): RunFilters => ({
  sort: wordsIn(search, "sort", RUN_SORT_NAMES)?.[0],
  status: wordsIn(search, "status", RUN_STATUSES),
  trigger: wordsIn(search, "trigger", STARTS)?.[0],
  workflow: textIn(search, "workflow"),
  by: textIn(search, "by"),
  error: textIn(search, "error"),
  q: textIn(search, "q"),
  key: textIn(search, "key"),
  label: textIn(search, "label"),
  space: textIn(search, "space"),
  longer: numberIn(search, "longer"),
  parent: textIn(search, "parent"),
  day: textIn(search, "day"),
  since: textIn(search, "since"),
  until: textIn(search, "until"),
});
