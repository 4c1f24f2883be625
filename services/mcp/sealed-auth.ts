import type { McpAuth, McpNamedCredential } from "../../adapters/mcp/port.ts";
import type { ServerDoc } from "./model.ts";
import { namedCredential } from "./named-credential.ts";
import type { Self } from "./service.ts";

/** Why a server is unreachable whose credential was sealed under a key that is no longer known. */
export const SEALED_FOR_GOOD = "The credential of the server can no longer be decrypted. Enter it again.";

type From = Pick<Self, "sealer" | "warn" | "broker">;

/** What authenticates us to a server; null when its own credential cannot be decrypted, which is logged. */
export function authOfServer(from: From, server: ServerDoc): McpAuth | McpNamedCredential | null {
  const { workspaceId, credentialId } = server;
  return credentialId ? namedCredential(from, workspaceId, credentialId) : ownAuth(from, server);
}

/** The credential of a server's own; null when it cannot be decrypted, which is logged. */
export function ownAuth(
  { sealer, warn }: Pick<From, "sealer" | "warn">,
  { id, credential }: ServerDoc,
): McpAuth | null {
  try {
    return credential ? (JSON.parse(sealer.open(credential, id)) as McpAuth) : { type: "none" };
  } catch (error) {
    warn("The credential of an MCP server cannot be opened.", error);
    return null;
  }
}

/** The sealed text that is stored for a credential. */
export const sealedAuth = ({ sealer }: Pick<Self, "sealer">, id: string, auth: McpAuth): string | undefined =>
  auth.type === "none" ? undefined : sealer.seal(JSON.stringify(auth), id);
