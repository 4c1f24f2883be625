import { redirect } from "@tanstack/react-router";
import { knownSession } from "./data/session.ts";
import { safePath, type Search, textIn } from "./search.ts";

/** The search parameters that pages before sign-in pass on to each other. */
export interface Entry {
  /** The page to open after sign-in. */
  next?: string | undefined;
  /** The email address to fill in. */
  email?: string | undefined;
}
export const entrySearch = (search: Search): Entry => ({
  next: textIn(search, "next"),
  email: textIn(search, "email"),
});

export async function leaveIfSignedIn({ search }: { search: Entry }): Promise<void> {
  if ((await knownSession()).status === "in") redirect({ throw: true, href: safePath(search.next) });
}
