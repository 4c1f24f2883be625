import { v7 as uuid } from "uuid";
import type { ParamsOf } from "../../contracts/actions.ts";
import { handle } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import { canonicalJson } from "../../core/json.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { authOf, bothCredentialsError, isSameOwner, pickCredential } from "./credential.ts";
import { entryOf } from "./indexed-tools.ts";
import { presentServer, type ServerDoc, servers } from "./model.ts";
import { checkNamed } from "./named-credential.ts";
import { aliveMcpServer, type Self } from "./service.ts";
import { toolsOf } from "./store-tools.ts";
import { ownAuth, sealedAuth } from "./sealed-auth.ts";

/** Each failed attempt means that another request changed the server. */
const MAX_ATTEMPTS = 20;

type Params = ParamsOf<"mcp.update">;

/**
 * How the server will be reached; null if that does not change.
 * @throws {AppError} validation_failed when the fields do not form a credential
 */
function reachedBy(self: Self, old: ServerDoc, params: Params) {
  const { url = old.url, authType = old.authType } = params;
  const given = pickCredential(params);
  const former = old.credentialId ?? null;
  const hasOwn = authType !== "none" && (params.authType !== undefined || Object.keys(given).length > 0);
  const { credentialId = hasOwn ? null : former } = params;
  if (credentialId !== null) {
    if (hasOwn) throw bothCredentialsError();
    authOf("none", given, null);
    const same = url === old.url && credentialId === former;
    return same ? null : { url, authType: "none" as const, auth: { type: "none" as const }, credentialId };
  }
  if (url === old.url && authType === old.authType && Object.keys(given).length === 0 && former === null) return null;
  // A credential that can no longer be decrypted is dropped.
  const before = { url: old.url, authType: old.authType, auth: ownAuth(self, old) ?? { type: "none" as const } };
  const stays = isSameOwner(before, { url, authType, tokenUrl: given.tokenUrl });
  const auth = authOf(authType, given, stays ? before.auth : null);
  const stayed = url === old.url && authType === old.authType && former === null;
  const same = stayed && canonicalJson(auth) === canonicalJson(before.auth);
  return same ? null : { url, authType, auth, credentialId };
}

/** Searches match the server's name too, so its tools are indexed again. */
export async function reindexServer(self: Self, server: ServerDoc): Promise<void> {
  try {
    const entries = (await toolsOf(self, server)).map(tool => entryOf(tool, server.name));
    if (entries.length > 0) await self.search.tenant("tool", server.workspaceId).put(entries);
    self.embeddings.soon();
  } catch (error) {
    self.warn("Tools could not be indexed under the new name of their server; the next sync repairs it.", error);
    self.reconciling.soon();
  }
}

async function change(self: Self, params: Params): Promise<{ server: ServerDoc; renamed: boolean; moved: boolean }> {
  const { workspaceId, id, name, agents } = params;
  const all = self.store.tenant(servers, workspaceId);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const old = await aliveMcpServer(self, workspaceId, id);
    const reached = reachedBy(self, old, params);
    if (reached?.credentialId) await checkNamed(self.broker, { workspaceId, url: reached.url }, reached.credentialId);
    const renamed = name !== undefined && name !== old.name;
    const marked = agents !== undefined && agents !== (old.agents ?? false);
    if (!reached && !renamed && !marked) return { server: old, renamed, moved: false };
    const now = new Date();
    const credential = reached ? sealedAuth(self, id, reached.auth) : undefined;
    const free = old.syncHolder ? {} : { syncAt: now };
    // The credential in the filter prevents overwriting tokens that were renewed meanwhile.
    const server = await all.updateOne(
      { id, version: old.version, credential: old.credential ?? null, ...ALIVE },
      {
        $set: {
          ...(renamed && { name }),
          ...(marked && { agents }),
          ...(reached && { url: reached.url, authType: reached.authType, revision: uuid(), ...free }),
          ...(reached?.credentialId && { credentialId: reached.credentialId }),
          ...(credential && { credential }),
          updatedAt: now,
        },
        // A server has either a credential of its own or one of the workspace, or neither.
        ...(reached && {
          $unset: {
            ...(!credential && { credential: true as const }),
            ...(!reached.credentialId && { credentialId: true as const }),
          },
        }),
        $inc: { version: 1 },
      },
    );
    if (server) return { server, renamed, moved: reached !== null };
  }
  throw new AppError("conflict");
}

export const update = handle<"mcp.update", Self>("mcp.update", async function (ctx) {
  const { server, renamed, moved } = await change(this, ctx.params);
  if (renamed) await reindexServer(this, server);
  if (moved) {
    // Closing the sessions of an unreachable server ends its hanging calls. The sessions of a connected server finish
    // their calls and accept no new ones.
    if (server.status !== "connected") await this.clients.forget(server.id);
    this.syncs.start(server);
  }
  return presentServer(server);
});
