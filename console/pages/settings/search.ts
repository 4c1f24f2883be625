import type { AuditFilters } from "../../data/audit.ts";
import { type Search, textIn } from "../../search.ts";

export interface SettingsSearch extends AuditFilters {
  /** The space whose variables are shown. */
  space?: string | undefined;
  /** Whether the dialog for an invitation is open. */
  invite?: string | undefined;
}

const dayIn = (search: Search, name: string) => {
  const text = textIn(search, name);
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
};

export const settingsSearch = (search: Search): SettingsSearch => ({
  who: textIn(search, "who"),
  action: textIn(search, "action"),
  kind: textIn(search, "kind"),
  from: dayIn(search, "from"),
  to: dayIn(search, "to"),
  space: textIn(search, "space"),
  invite: textIn(search, "invite"),
});
