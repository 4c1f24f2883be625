import { handle } from "../../contracts/call.ts";
import { notFound } from "../../contracts/errors.ts";
import type { OpenedCredential } from "../../contracts/credentials/opened.ts";
import { type CredentialDoc, credentials } from "./model.ts";
import { dataOf, type Self } from "./service.ts";

const NOTED_EVERY_MS = 60_000;

/** Records the use, at most once a minute, so that a busy credential does not cause a write each time. */
function note(self: Self, { id, workspaceId, lastUsedAt = null }: Readonly<CredentialDoc>): void {
  const now = new Date();
  if (lastUsedAt && now.getTime() - lastUsedAt.getTime() < NOTED_EVERY_MS) return;
  self.store
    .tenant(credentials, workspaceId)
    .updateOne({ id, lastUsedAt }, { $set: { lastUsedAt: now } })
    .catch((error: unknown) => self.warn("The use of a credential could not be recorded.", error));
}

export const open = handle<"credentials.open", Self>("credentials.open", async function (ctx) {
  const { workspaceId, spaceId, id, name } = ctx.params;
  const named = id !== undefined ? { id } : { name: name ?? "" };
  const doc = await this.store.tenant(credentials, workspaceId).shared(named);
  if (!doc) throw notFound("credential");
  // For a step, a credential of other spaces does not exist.
  if (doc.spaceIds && !doc.spaceIds.includes(spaceId)) throw notFound("credential in this space");
  const opened: OpenedCredential = {
    id: doc.id,
    name: doc.name,
    type: doc.type,
    hosts: doc.hosts,
    data: dataOf(this, doc),
  };
  note(this, doc);
  return { id: doc.id, sealed: this.transit.seal(JSON.stringify(opened), doc.id) };
});
