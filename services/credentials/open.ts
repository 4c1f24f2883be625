import { handle } from "../../contracts/call.ts";
import { notFound } from "../../contracts/errors.ts";
import type { OpenedCredential } from "../../contracts/credentials/opened.ts";
import { type CredentialDoc, credentials } from "./model.ts";
import { CREDENTIAL_TYPES } from "../../contracts/credentials/types.ts";
import { tokenOf } from "./renew.ts";
import { dataOf, type Self } from "./service.ts";

const NOTED_EVERY_MS = 60_000;

/** Longer than a renewal that waits for the turn of another node. */
const OPEN_MS = 60_000;

/**
 * A credential with its values. A type that is exchanged for tokens returns a token, and not the values that obtain it.
 * @throws {AppError} credential_unreadable, credential_needs_authorization, unavailable
 */
export async function openedOf(self: Self, doc: Readonly<CredentialDoc>, refused?: string): Promise<OpenedCredential> {
  const { id, name, type, hosts } = doc;
  if (!CREDENTIAL_TYPES[type].tokens) return { id, name, type, hosts, data: dataOf(self, doc) };
  const { id: tokenId, accessToken: value } = await tokenOf(self, doc, refused);
  return { id, name, type, hosts, data: {}, token: { id: tokenId, value } };
}

/** Records the use at most once a minute, so that a busy credential does not cause a write each time. */
function note(self: Self, { id, workspaceId, lastUsedAt = null }: Readonly<CredentialDoc>): void {
  const now = new Date();
  if (lastUsedAt && now.getTime() - lastUsedAt.getTime() < NOTED_EVERY_MS) return;
  self.store
    .tenant(credentials, workspaceId)
    .updateOne({ id, lastUsedAt }, { $set: { lastUsedAt: now } })
    .catch((error: unknown) => self.warn("The use of a credential could not be recorded.", error));
}

export const open = handle<"credentials.open", Self>(
  "credentials.open",
  async function (ctx) {
    const { workspaceId, spaceId, id, name, refused } = ctx.params;
    const named = id !== undefined ? { id } : { name: name ?? "" };
    const doc = await this.store.tenant(credentials, workspaceId).shared(named);
    if (!doc) throw notFound("credential");
    // Steps of other spaces cannot see this credential.
    if (doc.spaceIds && (spaceId === undefined || !doc.spaceIds.includes(spaceId)))
      throw notFound("credential in this space");
    note(this, doc);
    const isHere = ctx.nodeID === this.broker.nodeID;
    return { id: doc.id, sealed: this.transit.pack(await openedOf(this, doc, refused), { isHere }) };
  },
  { timeout: OPEN_MS, outside: true },
);
