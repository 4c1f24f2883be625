import { type Search, textIn } from "../../search.ts";

/**
 * The workflow whose schedules or webhooks are shown. Without it, all are shown. `new` opens the dialog for a new one.
 */
export const triggersSearch = (search: Search): { workflow?: string | undefined; new?: string | undefined } => ({
  workflow: textIn(search, "workflow"),
  new: textIn(search, "new"),
});
