import { type Search, textIn } from "../../search.ts";

/** The workflow whose schedules or webhooks are shown; all of them without one. */
export const triggersSearch = (search: Search): { workflow?: string | undefined } => ({
  workflow: textIn(search, "workflow"),
});
