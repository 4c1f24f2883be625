import type { McpAuth } from "../../adapters/mcp/port.ts";
import type { ServerDoc } from "./model.ts";
import type { Self } from "./service.ts";

/** Why a server is unreachable whose credential was sealed under a key that is no longer known. */
export const SEALED_FOR_GOOD = "The credential of the server can no longer be decrypted. Enter it again.";

/** The credential of a server; null when it cannot be decrypted, which is logged. */
export function authOfServer({ sealer, warn }: Pick<Self, "sealer" | "warn">, server: ServerDoc): McpAuth | null {
  const { id, credential } = server;
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
