export {
  CREDENTIAL_TYPE_NAMES,
  CREDENTIAL_TYPES,
  credentialFields,
  type CredentialTypeName,
} from "../../contracts/credentials/types.ts";
