import { derivedSecrets, signCall, signsCalls } from "../../adapters/credentials/sign-call.ts";
import { McpError } from "../../adapters/mcp/mcp-error.ts";
import type { OutboundHop, SignedHop } from "../../adapters/net/port.ts";
import { call } from "../../contracts/call.ts";
import type { OpenedCredential } from "../../contracts/credentials/opened.ts";
import { secretValues } from "../../contracts/credentials/types.ts";
import { AppError } from "../../contracts/errors.ts";
import { isAllowedHost } from "../../core/credentials/allowed-host.ts";
import type { ApiOperation } from "../../core/openapi/operation.ts";
import type { ServerDoc } from "./model.ts";
import { namedCredential } from "./named-credential.ts";
import type { Self } from "./service.ts";

type Chosen = Pick<ServerDoc, "credentialId" | "credentials">;

const refuse = (path: string, message: string) => new AppError("validation_failed", { errors: [{ path, message }] });

/**
 * Refuses credentials that cannot be used by an API of the whole workspace.
 * @throws {AppError} validation_failed
 */
export async function checkApiCredentials(
  from: { call: unknown },
  workspaceId: string,
  {
    credentialId,
    credentials = {},
  }: { credentialId?: string | null | undefined; credentials?: Record<string, string> | undefined },
): Promise<void> {
  const named = Object.entries(credentials).map(([scheme, id]) => ({ path: `/credentials/${scheme}`, id }));
  if (credentialId) named.push({ path: "/credentialId", id: credentialId });
  if (named.length === 0) return;
  const answer = await call(from, "credentials.named", { workspaceId, ids: [...new Set(named.map(({ id }) => id))] });
  const byId = new Map(answer.credentials.map(credential => [credential.id, credential]));
  for (const { path, id } of named) {
    const found = byId.get(id);
    if (!found) throw refuse(path, "No such credential in this workspace");
    if (!signsCalls(found.type)) throw refuse(path, `A credential of the type ${found.type} does not sign calls`);
    if (found.spaceIds)
      throw refuse(path, "The API belongs to the whole workspace, so the credential must be for all spaces");
  }
}

/**
 * The ids of the credentials that together sign a call of an operation.
 * @throws {AppError} tool_server_refused when the operation needs a credential that the API lacks
 */
export function credentialsFor({ security }: ApiOperation, { credentialId, credentials = {} }: Chosen): string[] {
  const way = security.find(schemes => schemes.every(scheme => Object.hasOwn(credentials, scheme)));
  if (way) return [...new Set(way.map(scheme => credentials[scheme]!))];
  if (credentialId) return [credentialId];
  if (security.length === 0) return [];
  const ways = security.map(schemes => schemes.join(" and ")).join(", or ");
  throw new AppError("tool_server_refused", { detail: `The operation needs a credential for ${ways.slice(0, 300)}.` });
}

/** Opened credentials that together sign one call. */
export interface CallSigner {
  sign(hop: OutboundHop): Promise<SignedHop>;
  /** Texts that must not appear in any output. */
  secrets: string[];
  /** The ids of the access tokens, by the id of the credential. */
  tokens: ReadonlyMap<string, string>;
}

/**
 * Opens credentials for one call.
 * @param refused the ids of access tokens that the API refused, by the id of the credential
 * @throws {McpError} when one cannot be used
 */
export async function openSigner(
  self: Self,
  workspaceId: string,
  ids: readonly string[],
  refused: ReadonlyMap<string, string> = new Map(),
): Promise<CallSigner> {
  const opened: OpenedCredential[] = await Promise.all(
    ids.map(id => namedCredential(self, workspaceId, id).open(refused.get(id))),
  );
  const tokens = new Map(opened.flatMap(({ id, token }) => (token ? [[id, token.id] as const] : [])));
  return {
    secrets: opened.flatMap(one => [...secretValues(one.type, one.data), ...derivedSecrets(one)]),
    tokens,
    async sign(hop) {
      let signed: SignedHop = { url: hop.url, headers: hop.headers };
      for (const credential of opened) {
        if (!isAllowedHost(credential.hosts, hop.url)) {
          const message = `The credential "${credential.name}" may not be sent to ${hop.url.host}`;
          throw new McpError("mcp_refused", message);
        }
        signed = await signCall(credential, { ...hop, ...signed });
      }
      return signed;
    },
  };
}
