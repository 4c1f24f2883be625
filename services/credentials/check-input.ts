import { call } from "../../contracts/call.ts";
import { isPrivateKey, isSecureEndpoint } from "../../adapters/oauth/token-requests.ts";
import { ANY_HOST } from "../../contracts/credentials/hosts.ts";
import { MODEL_PROVIDERS } from "../../contracts/credentials/model-providers.ts";
import { CREDENTIAL_TYPES, type CredentialData, type CredentialTypeName } from "../../contracts/credentials/types.ts";
import { AppError, type Fault } from "../../contracts/errors.ts";
import { issueFaults } from "../../contracts/issue-faults.ts";
import type { Role } from "../../contracts/primitives.ts";
import { includesRole } from "../../core/roles.ts";
import type { Data } from "./service.ts";

const refuse = (...errors: Fault[]) => new AppError("validation_failed", { errors });

/**
 * The data of a type from a request, with defaults filled in.
 * @throws {AppError} validation_failed, with paths below `/data`
 */
export function checkedData(type: CredentialTypeName, given: unknown): Data {
  const parsed = CREDENTIAL_TYPES[type].data.safeParse(given);
  if (parsed.success) return parsed.data as Data;
  throw refuse(...issueFaults(parsed.error.issues).map(fault => ({ ...fault, path: `/data${fault.path}` })));
}

/** @throws {AppError} validation_failed when a provider lacks its key, or the address of its server */
function ensureModelServer({ provider, baseUrl = "", apiKey }: CredentialData<"model">): void {
  const { needsKey = false, baseUrl: usual } = MODEL_PROVIDERS[provider];
  if (needsKey && apiKey === undefined) throw refuse({ path: "/data/apiKey", message: `Required for ${provider}` });
  if (baseUrl === "" && usual === undefined)
    throw refuse({ path: "/data/baseUrl", message: `Required for ${provider}, such as \`http://localhost:11434\`` });
  if (baseUrl.includes("?")) throw refuse({ path: "/data/baseUrl", message: "Expected an address without a query" });
}

/** @throws {AppError} validation_failed when the data is well-formed but cannot be used */
export async function ensureUsable(type: CredentialTypeName, data: Data): Promise<void> {
  if (type === "jwt" && !(await isPrivateKey(String(data.privateKey), String(data.algorithm)))) {
    const message = `Expected a private key in PEM (PKCS #8) for ${String(data.algorithm)}`;
    throw refuse({ path: "/data/privateKey", message });
  }
  if (type === "model") ensureModelServer(data as CredentialData<"model">);
  for (const field of ["tokenUrl", "authorizeUrl"]) {
    const address = data[field];
    if (CREDENTIAL_TYPES[type].tokens && typeof address === "string" && !isSecureEndpoint(address))
      throw refuse({ path: `/data/${field}`, message: "Expected an https address, because secrets are sent there" });
  }
}

/**
 * The hosts of a credential: those of the request, or else those in the data itself.
 * @throws {AppError} validation_failed; role_too_low when a caller who is not an admin allows every host
 */
export function checkedHosts(type: CredentialTypeName, data: Data, given: string[] | undefined, role: Role): string[] {
  const { hosts, ownHosts = () => [] } = CREDENTIAL_TYPES[type];
  if (hosts === "none") {
    if (given && given.length > 0) throw refuse({ path: "/hosts", message: `Not allowed for the type \`${type}\`` });
    return [];
  }
  const own = ownHosts(data);
  const all = given && given.length > 0 ? [...new Set([...own, ...given])] : own;
  if (all.length === 0) {
    const message = "Required: where the credential may be sent, such as `api.example.com`";
    throw refuse({ path: "/hosts", message });
  }
  if (all.includes(ANY_HOST)) ensureAdmin(role);
  return all;
}

/** @throws {AppError} role_too_low */
function ensureAdmin(role: Role): void {
  if (includesRole(role, "admin")) return;
  const detail = `To allow every host (\`*\`) requires the role \`admin\`; your role is \`${role}\`.`;
  throw new AppError("role_too_low", { detail });
}

/** @throws {AppError} validation_failed when a space does not exist in the workspace */
export async function ensureSpaces(from: { call: unknown }, workspaceId: string, ids: readonly string[] | null) {
  const exist = await Promise.all(
    (ids ?? []).map(spaceId => call(from, "pods.spaces.exists", { workspaceId, spaceId })),
  );
  const missing = exist.findIndex(({ exists }) => !exists);
  if (missing >= 0) throw refuse({ path: `/spaceIds/${missing}`, message: "No such space in this workspace" });
}

/**
 * Changing the hosts requires the data again, because a user who cannot read a secret must not be able to redirect it.
 */
export const dataNeeded = () =>
  refuse({ path: "/data", message: "Required: a change of the hosts or of the type needs the secret values again" });
