import { signsCalls } from "../../adapters/credentials/sign-call.ts";
import { McpError } from "../../adapters/mcp/mcp-error.ts";
import type { McpNamedCredential } from "../../adapters/mcp/port.ts";
import { call, handle } from "../../contracts/call.ts";
import { AppError, errorCode } from "../../contracts/errors.ts";
import { isAllowedHost } from "../../core/credentials/allowed-host.ts";
import { CredentialTransit } from "../../service-kit/credential-transit.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { type ServerDoc, servers } from "./model.ts";
import { IS_API, type Self } from "./service.ts";

/** The limit of one response. */
const MAX_SERVERS = 1_000;

const refuse = (message: string) => new AppError("validation_failed", { errors: [{ path: "/credentialId", message }] });

/**
 * Refuses a credential that cannot be used by a server of the whole workspace. Its hosts are checked again with every
 * request.
 * @throws {AppError} validation_failed
 */
export async function checkNamed(
  from: { call: unknown },
  { workspaceId, url }: { workspaceId: string; url: string },
  credentialId: string,
): Promise<void> {
  const { credentials } = await call(from, "credentials.named", { workspaceId, ids: [credentialId] });
  const [found] = credentials;
  if (!found) throw refuse("No such credential in this workspace");
  if (!signsCalls(found.type)) throw refuse(`A credential of the type ${found.type} does not sign calls`);
  if (found.spaceIds)
    throw refuse("The server belongs to the whole workspace, so the credential must be for all spaces");
  if (!isAllowedHost(found.hosts, new URL(url)))
    throw refuse(`The credential may not be sent to this address. Its hosts: ${found.hosts.join(", ")}`);
}

/** Why a credential could not be opened. An error of the broker is not caused by the credential or its server. */
function failureOf(error: unknown): McpError {
  const code = errorCode(error);
  const { message } = error as Error;
  if (code === "not_found")
    return new McpError("mcp_unauthorized", "The credential of the server does not exist, or is limited to spaces");
  if (code?.startsWith("credential_")) return new McpError("mcp_unauthorized", message);
  if (code === "unavailable") return new McpError("mcp_unreachable", message);
  return new McpError("mcp_aborted", "The credential could not be opened: try again", error);
}

/** The workspace credential of a server, in the form that its client uses. */
export function namedCredential(
  { broker }: Pick<Self, "broker">,
  workspaceId: string,
  credentialId: string,
): McpNamedCredential {
  const transit = new CredentialTransit();
  return {
    type: "credential",
    async open(refused) {
      const asked = { workspaceId, id: credentialId, ...(refused !== undefined && { refused }) };
      const answer = await call(broker, "credentials.open", asked).catch((error: unknown) => {
        throw failureOf(error);
      });
      const opened = transit.unpack(answer);
      if (signsCalls(opened.type)) return opened;
      throw new McpError("mcp_refused", `The credential "${opened.name}" has a type that does not sign calls`);
    },
  };
}

export const usingCredentials = handle<"mcp.usingCredentials", WithStore>("mcp.usingCredentials", async function (ctx) {
  const { workspaceId, ids } = ctx.params;
  const { items } = await this.store
    .tenant(servers, workspaceId)
    .find({ $or: [{ credentialId: { $in: ids } }, IS_API], ...ALIVE }, { sort: { id: -1 }, limit: MAX_SERVERS });
  const uses = items.flatMap(({ id, name, kind, credentialId, credentials = {} }: ServerDoc) => {
    const what = kind === "api" ? ("api" as const) : ("mcp_server" as const);
    const use = { kind: what, id, name, spaceId: null, workflowId: null, deployed: true };
    const named = new Set([credentialId ?? "", ...Object.values(credentials)]);
    return ids.filter(key => named.has(key)).map(key => ({ key, ...use }));
  });
  return { uses };
});
