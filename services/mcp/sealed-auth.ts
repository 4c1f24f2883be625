import type { McpAuth, McpNamedCredential } from "../../adapters/mcp/port.ts";
import type { ServerDoc } from "./model.ts";
import { namedCredential } from "./named-credential.ts";
import type { Self } from "./service.ts";

/** The error for a server whose credential was encrypted with a key that is no longer known. */
export const UNDECRYPTABLE = "The credential of the server can no longer be decrypted. Enter it again.";

type From = Pick<Self, "sealer" | "warn" | "broker">;

/** The credential for a server. Null if its own credential cannot be decrypted, which is logged. */
export function authOfServer(from: From, server: ServerDoc): McpAuth | McpNamedCredential | null {
  const { workspaceId, credentialId } = server;
  return credentialId ? namedCredential(from, workspaceId, credentialId) : ownAuth(from, server);
}

/** A server's own credential; null if it cannot be decrypted, which is logged. */
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

/** The encrypted form in which a credential is stored. */
export const sealedAuth = ({ sealer }: Pick<Self, "sealer">, id: string, auth: McpAuth): string | undefined =>
  auth.type === "none" ? undefined : sealer.seal(JSON.stringify(auth), id);
