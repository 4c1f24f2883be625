import { type Search, textIn } from "../../search.ts";

/** The workflow whose schedules or webhooks are shown; all of them without one. `new` asks for another one at once. */
export const triggersSearch = (search: Search): { workflow?: string | undefined; new?: string | undefined } => ({
  workflow: textIn(search, "workflow"),
  new: textIn(search, "new"),
});
