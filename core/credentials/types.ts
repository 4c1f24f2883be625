export {
  CREDENTIAL_TYPE_NAMES,
  CREDENTIAL_TYPES,
  type CredentialField,
  credentialFields,
  type CredentialTypeName,
} from "../../contracts/credentials/types.ts";
