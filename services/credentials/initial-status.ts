import jwt from "jsonwebtoken";
import { CREDENTIAL_TYPES, type CredentialTypeName } from "../../contracts/credentials/types.ts";
import type { CredentialDoc } from "./model.ts";
import type { Data } from "./service.ts";

/** The expiry of a bearer token that is a JWT; undefined for any other token. */
function endOf(token: unknown): Date | undefined {
  try {
    const { exp } = jwt.decode(String(token), { json: true }) ?? {};
    const end = new Date((exp ?? NaN) * 1_000);
    return Number.isNaN(end.getTime()) ? undefined : end;
  } catch {
    return undefined;
  }
}

/**
 * The initial state of a credential after its data was set. Only a person can authorize one of the type `oauth2_code`.
 */
export function initialStatus(type: CredentialTypeName, data: Data): Pick<CredentialDoc, "status" | "expiresAt"> {
  const expiresAt = type === "bearer" ? endOf(data.token) : undefined;
  const status = CREDENTIAL_TYPES[type].tokens === "code" ? "needs_authorization" : "ready";
  return { status, ...(expiresAt && { expiresAt }) };
}
