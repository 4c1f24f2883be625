import type { McpTarget, McpTokens } from "../../adapters/mcp/port.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { type ServerDoc, servers } from "./model.ts";
import { renewExclusively } from "./renew-exclusively.ts";
import { sealedAuth } from "./sealed-auth.ts";
import type { Self } from "./service.ts";

/** A server in the form that the client connects to, with its credential decrypted. */
export function targetOf(self: Self, server: ServerDoc, auth: McpTarget["auth"]): McpTarget {
  const { id, workspaceId, revision, url } = server;
  async function onTokens({ accessToken, refreshToken, expiresAt }: McpTokens): Promise<void> {
    if (auth.type !== "oauth") return;
    const credential = sealedAuth(self, id, { ...auth, accessToken, refreshToken, expiresAt });
    // Tokens of an earlier credential must not overwrite a newer credential.
    await self.store.tenant(servers, workspaceId).updateOne({ id, revision, ...ALIVE }, { $set: { credential } });
  }
  return {
    ...{ key: id, revision, url, auth, onTokens },
    renewAlone: (held, renew) => renewExclusively(self, { id, workspaceId, revision }, held, renew),
    onToolsChanged: () => self.syncs.toolsChanged({ workspaceId, id }),
  };
}
