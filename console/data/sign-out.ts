import { draftStore } from "./draft-store.ts";
import { draftKeys, dropDraft } from "./drafts.ts";
import { flushDrafts } from "./open-drafts.ts";
import { forgetAll } from "./query-client.ts";
import { endSession } from "./session.ts";

/** The names of the workflows with changes that only this browser has, after the service was asked to take them. */
export async function unsentDrafts(userId: string): Promise<string[]> {
  await flushDrafts();
  return draftStore.onlyHere(userId);
}

/**
 * Signs a person out, and forgets what this browser has of theirs. Changes of workflows that the service does not have
 * stay, unless `everything` shall go.
 * @throws {WeftConnectionError} when the service is away: then nothing has ended, and nothing is forgotten.
 */
export async function signOut(userId: string, everything: boolean): Promise<void> {
  await endSession();
  forgetAll();
  await draftStore.forget(userId, everything);
  // Drafts of workflows are done with. What fields could not read belongs to them, and the others are answers to questions.
  for (const key of draftKeys(userId)) {
    if (!key.startsWith("workflow:") && (everything || !key.startsWith("unread:"))) dropDraft(userId, key);
  }
}
