import { CREDENTIAL_TYPES, type CredentialTypeName } from "../../contracts/credentials/types.ts";
import type { CredentialDoc } from "./model.ts";

/** The state of a credential whose data was just given. Only a person can authorize one of the type `oauth2_code`. */
export function startOf(type: CredentialTypeName): Pick<CredentialDoc, "status"> {
  return { status: CREDENTIAL_TYPES[type].tokens === "code" ? "needs_authorization" : "ready" };
}
