import { defineCollection, type DocumentOf } from "../../adapters/store/define-collection.ts";
import {
  boolean,
  date,
  json,
  number,
  oneOf,
  optional,
  optionalOrNull,
  sealed,
  string,
  strings,
} from "../../adapters/store/field-types.ts";
import {
  type Credential,
  credential,
  type CredentialUse,
  CREDENTIAL_STATUSES,
} from "../../contracts/entities/credential.ts";
import { CREDENTIAL_TYPE_NAMES, CREDENTIAL_TYPES } from "../../contracts/credentials/types.ts";
import { OUTBOX_FIELDS, OUTBOX_INDEX } from "../../service-kit/outbox.ts";
import { presenter } from "../../service-kit/present.ts";

export const CREDENTIAL_DATA = "credential data";
export const CREDENTIAL_TOKENS = "credential tokens";
export const CREDENTIAL_PENDING = "credential authorization";

export const credentials = defineCollection({
  name: "credentials",
  tenant: true,
  fields: {
    name: string(),
    type: oneOf(CREDENTIAL_TYPE_NAMES),
    hosts: strings(),
    /** Null means all spaces. */
    spaceIds: optionalOrNull(json<string[]>()),
    /** The names of the fields that have a value. */
    fields: strings(),
    /** The data as JSON. */
    data: sealed(CREDENTIAL_DATA),
    /** Counts the changes of the data. Tokens that were requested with earlier data are not stored. */
    revision: number(),
    status: oneOf(CREDENTIAL_STATUSES),
    lastError: optionalOrNull(string()),
    /** The `StoredTokens` as JSON. */
    tokens: optionalOrNull(sealed(CREDENTIAL_TOKENS)),
    /** True if there is a refresh token. Unset in credentials of earlier versions. */
    renews: optional(boolean()),
    /** The id of the stored access token, and its lifetime when it was obtained. */
    tokenId: optionalOrNull(string()),
    tokenLifeMs: optionalOrNull(number()),
    /** The node that requests new tokens, and the end of its turn. */
    renewer: optionalOrNull(string()),
    renewUntil: optionalOrNull(date()),
    /** After a failure, the time of the next request. */
    retryAt: optionalOrNull(date()),
    /** Counts the failures that editors were notified of. */
    failures: optional(number()),
    /** The `Pending` authorization as JSON, and the hash of its token. */
    pending: optionalOrNull(sealed(CREDENTIAL_PENDING)),
    pendingId: optionalOrNull(string()),
    lastUsedAt: optionalOrNull(date()),
    expiresAt: optionalOrNull(date()),
    createdBy: string(),
    createdAt: date(),
    updatedAt: date(),
    ...OUTBOX_FIELDS,
  },
  indexes: [OUTBOX_INDEX, [{ workspaceId: 1, _id: -1 }], [{ workspaceId: 1, name: 1 }, { unique: true }]],
});
export type CredentialDoc = DocumentOf<typeof credentials>;

/** Whether Weft can obtain a new token when the current one expires. */
function renews({ type, renews: hasRefreshToken = true }: CredentialDoc): boolean {
  const { tokens } = CREDENTIAL_TYPES[type];
  return tokens === "code" ? hasRefreshToken : tokens !== undefined;
}

/** The current status and expiry. The token may have expired since the document was stored. */
function lifeOf(doc: CredentialDoc): Pick<Credential, "status" | "expiresAt"> {
  const { status, expiresAt = null } = doc;
  const hasEnded = expiresAt !== null && expiresAt <= new Date();
  if (hasEnded && renews(doc)) return { status, expiresAt: null };
  return { status: hasEnded && status === "ready" ? "expired" : status, expiresAt: expiresAt?.toISOString() ?? null };
}

export const presentCredential = presenter(credential, credentials, (doc, usedBy: CredentialUse[]) => ({
  usedBy,
  ...lifeOf(doc),
}));
