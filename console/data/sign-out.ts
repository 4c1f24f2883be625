import { draftStore } from "./draft-store.ts";
import { draftKeys, dropDraft } from "./drafts.ts";
import { flushDrafts } from "./open-drafts.ts";
import { forgetAll } from "./query-client.ts";
import { endSession } from "./session.ts";

/** The names of workflows whose changes exist only in this browser, after one more attempt to send them. */
export async function unsentDrafts(userId: string): Promise<string[]> {
  await flushDrafts();
  return draftStore.onlyHere(userId);
}

/**
 * Signs the user out and removes their data from this browser. Changes of workflows that the service does not have stay
 * here, unless `everything` is set.
 * @throws {WeftConnectionError} if the service is unreachable. Then the session goes on and nothing is removed.
 */
export async function signOut(userId: string, everything: boolean): Promise<void> {
  await endSession();
  forgetAll();
  await draftStore.forget(userId, everything);
  // The drafts of workflows were handled above, together with the unreadable fields that belong to them. The other
  // drafts are answers to questions.
  for (const key of draftKeys(userId)) {
    if (!key.startsWith("workflow:") && (everything || !key.startsWith("unread:"))) dropDraft(userId, key);
  }
}
