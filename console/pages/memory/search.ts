import { type Search, textIn } from "../../search.ts";

const SCOPES = ["user", "thread", "workflow"] as const;

export interface MemorySearch {
  /** The person whom the memories are about. By default the caller. */
  who?: string | undefined;
  /** The thread or the workflow of the memories. */
  thread?: string | undefined;
  workflow?: string | undefined;
  scope?: (typeof SCOPES)[number] | undefined;
  kind?: string | undefined;
  /** An ISO time. */
  asOf?: string | undefined;
  superseded?: "yes" | undefined;
  q?: string | undefined;
  /** The id of the open memory. */
  m?: string | undefined;
}

const momentIn = (search: Search) => {
  const text = textIn(search, "asOf");
  return text !== undefined && !Number.isNaN(Date.parse(text)) ? text : undefined;
};

export const memorySearch = (search: Search): MemorySearch => ({
  who: textIn(search, "who"),
  thread: textIn(search, "thread"),
  workflow: textIn(search, "workflow"),
  scope: SCOPES.find(scope => scope === search.scope),
  kind: textIn(search, "kind"),
  asOf: momentIn(search),
  superseded: search.superseded === "yes" ? "yes" : undefined,
  q: textIn(search, "q"),
  m: textIn(search, "m"),
});
