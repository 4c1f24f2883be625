import { setTimeout as sleep } from "node:timers/promises";
import { McpError } from "../../adapters/mcp/mcp-error.ts";
import type { McpAuth, McpTarget, McpTokens } from "../../adapters/mcp/port.ts";
import { ALIVE } from "../../mixins/tombstone.ts";
import { type ServerDoc, servers } from "./model.ts";
import type { Self } from "./service.ts";

/** Why a server cannot be reached whose credential was sealed under a key that is not known any more. */
export const SEALED_FOR_GOOD = "Its credential cannot be opened any more: give it anew.";

/** Null where the credential cannot be opened; that is logged. */
export function authOfServer({ sealer, warn }: Pick<Self, "sealer" | "warn">, server: ServerDoc): McpAuth | null {
  const { id, credential } = server;
  try {
    return credential ? (JSON.parse(sealer.open(credential, id)) as McpAuth) : { type: "none" };
  } catch (error) {
    warn("The credential of an MCP server cannot be opened.", error);
    return null;
  }
}

/** What is stored of a credential. */
export const sealedAuth = ({ sealer }: Pick<Self, "sealer">, id: string, auth: McpAuth): string | undefined =>
  auth.type === "none" ? undefined : sealer.seal(JSON.stringify(auth), id);

/** A server as the client is to reach it, with the credential in clear. */
function targetOf(self: Self, server: ServerDoc, auth: McpAuth): McpTarget {
  const { id, workspaceId, revision, url } = server;
  let latest = auth;
  async function onTokens(tokens: McpTokens): Promise<void> {
    if (latest.type !== "oauth") return;
    const { accessToken, refreshToken = latest.refreshToken, expiresAt } = tokens;
    latest = { ...latest, accessToken, refreshToken, expiresAt };
    const credential = sealedAuth(self, id, latest);
    // A credential that was changed meanwhile is not to be replaced by tokens of the one before.
    await self.store.tenant(servers, workspaceId).updateOne({ id, revision, ...ALIVE }, { $set: { credential } });
  }
  return { key: id, revision, url, auth, onTokens, onToolsChanged: () => self.syncs.toolsChanged({ workspaceId, id }) };
}

/** Until another node that renewed tokens at the same moment has stored what it got. */
const STORED_MS = 300;

/** A server with other tokens than these, which another node has had meanwhile; null where there are none. */
async function renewedSince(
  self: Self,
  { id, workspaceId, revision, credential }: ServerDoc,
): Promise<ServerDoc | null> {
  for (const wait of [0, STORED_MS]) {
    await sleep(wait);
    const now = await self.store.tenant(servers, workspaceId).get({ id, revision, ...ALIVE });
    if (!now || now.credential !== credential) return now;
  }
  return null;
}

/**
 * Reaches a server; a second time where its tokens were refused and another node has others: of two that use the same refresh
 * token at once, a server may leave one with nothing.
 */
export async function withTarget<T>(
  self: Self,
  server: ServerDoc,
  auth: McpAuth,
  reach: (target: McpTarget) => Promise<T>,
): Promise<T> {
  try {
    return await reach(targetOf(self, server, auth));
  } catch (error) {
    if (auth.type !== "oauth" || !(error instanceof McpError) || error.code !== "mcp_unauthorized") throw error;
    const fresh = await renewedSince(self, server);
    const renewed = fresh && authOfServer(self, fresh);
    if (!renewed) throw error;
    return reach(targetOf(self, fresh, renewed));
  }
}
