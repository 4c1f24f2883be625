import { defineCollection, type DocumentOf } from "../../adapters/store/define-collection.ts";
import {
  date,
  json,
  number,
  oneOf,
  optionalOrNull,
  sealed,
  string,
  strings,
} from "../../adapters/store/field-types.ts";
import { credential, type CredentialUse, CREDENTIAL_STATUSES } from "../../contracts/entities/credential.ts";
import { CREDENTIAL_TYPE_NAMES } from "../../contracts/credentials/types.ts";
import { presenter } from "../../service-kit/present.ts";

export const CREDENTIAL_DATA = "credential data";

export const credentials = defineCollection({
  name: "credentials",
  tenant: true,
  fields: {
    name: string(),
    type: oneOf(CREDENTIAL_TYPE_NAMES),
    hosts: strings(),
    /** Null for all spaces. */
    spaceIds: optionalOrNull(json<string[]>()),
    /** The names of the fields that have a value. */
    fields: strings(),
    /** The data as JSON. */
    data: sealed(CREDENTIAL_DATA),
    /** Counts the changes of the data. What was made for earlier data is not stored. */
    revision: number(),
    status: oneOf(CREDENTIAL_STATUSES),
    lastError: optionalOrNull(string()),
    lastUsedAt: optionalOrNull(date()),
    expiresAt: optionalOrNull(date()),
    createdBy: string(),
    createdAt: date(),
    updatedAt: date(),
  },
  indexes: [[{ workspaceId: 1, _id: -1 }], [{ workspaceId: 1, name: 1 }, { unique: true }]],
});
export type CredentialDoc = DocumentOf<typeof credentials>;

export const presentCredential = presenter(credential, credentials, (_doc, usedBy: CredentialUse[]) => ({ usedBy }));
