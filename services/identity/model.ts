import { defineCollection, type DocumentOf, where } from "../../adapters/store/define-collection.ts";
import {
  boolean,
  date,
  json,
  nullable,
  number,
  oneOf,
  optional,
  optionalOrNull,
  sealed,
  string,
  strings,
} from "../../adapters/store/field-types.ts";
import type { AccountEventType } from "../../contracts/entities/account-event.ts";
import { mailChoice, type Profile, user } from "../../contracts/entities/user.ts";
import { ROLES } from "../../contracts/primitives.ts";
import { presenter } from "../../service-kit/present.ts";
import { TOMBSTONE_FIELDS, TOMBSTONE_INDEX } from "../../service-kit/tombstone.ts";
import { isOperatorAddress } from "./operator-address.ts";

export const users = defineCollection({
  name: "users",
  tenant: false,
  fields: {
    email: string(),
    name: nullable(string()),
    passwordHash: string(),
    /** True if the hash is that of a random password, because the person signs in through a provider. */
    noPassword: optional(boolean()),
    preferences: optional(json<Record<string, unknown>>()),
    /** True for the first account, which needs no invite. It is unique, so only one of several first accounts succeeds. */
    first: optional(boolean()),
    /** Set while the account is disabled. */
    disabledAt: optionalOrNull(date()),
    /** Whether notifications are sent by mail. Absent means no. */
    mails: optional(oneOf(mailChoice.options)),
    /** The provider link or the passkey that was removed last, or is about to be removed. */
    leaving: optionalOrNull(string()),
    createdAt: date(),
    updatedAt: date(),
    /** A deleted account keeps its id until all of its data is removed. */
    ...TOMBSTONE_FIELDS,
  },
  indexes: [[{ email: 1 }, { unique: true }], [{ first: 1 }, { unique: true, ...where("first") }], TOMBSTONE_INDEX],
});
export type UserDoc = DocumentOf<typeof users>;

/** A sign-in. It lasts until `expiresAt`, which every refresh extends. An ended session is removed. */
export const sessions = defineCollection({
  name: "sessions",
  tenant: false,
  fields: {
    userId: string(),
    /** A keyed hash of the current refresh token. */
    refreshHash: string(),
    /** When recent tokens were replaced, ISO 8601, newest last. They are still accepted within the grace period. */
    replacedAt: optional(strings()),
    /** True if the session began on the web page and is kept in a cookie. Its token is not a refresh token. */
    browser: optional(boolean()),
    userAgent: optional(string()),
    address: optional(string()),
    /** What proved the sign-in in addition to the password. */
    factor: optional(oneOf(["totp", "recovery", "passkey", "provider"])),
    /** The provider of the sign-in, and the session there. A logout of the provider refers to these. */
    provider: optional(string()),
    providerSid: optional(string()),
    /** When an access token was last issued, if later than `updatedAt`. */
    usedAt: optional(date()),
    createdAt: date(),
    updatedAt: date(),
    expiresAt: date(),
  },
  indexes: [[{ userId: 1 }], [{ expiresAt: 1 }], [{ providerSid: 1 }, where("providerSid")]],
});
export type SessionDoc = DocumentOf<typeof sessions>;

/** A permission to set a new password once. A link in a mail contains its id. */
export const passwordResets = defineCollection({
  name: "passwordResets",
  tenant: false,
  fields: {
    userId: string(),
    usedAt: optionalOrNull(date()),
    createdAt: date(),
    expiresAt: date(),
  },
  indexes: [[{ userId: 1 }], [{ expiresAt: 1 }]],
});
export type PasswordResetDoc = DocumentOf<typeof passwordResets>;

/** A request for an email with such a link, for any address. */
export const resetRequests = defineCollection({
  name: "resetRequests",
  tenant: false,
  fields: { email: string(), createdAt: date() },
  indexes: [[{ createdAt: 1 }]],
});
export type ResetRequestDoc = DocumentOf<typeof resetRequests>;

/** A new address that waits to be confirmed at both addresses. */
export const emailChanges = defineCollection({
  name: "emailChanges",
  tenant: false,
  fields: {
    userId: string(),
    email: string(),
    former: string(),
    formerAt: optionalOrNull(date()),
    nextAt: optionalOrNull(date()),
    createdAt: date(),
    expiresAt: date(),
  },
  indexes: [[{ userId: 1 }], [{ expiresAt: 1 }]],
});
export type EmailChangeDoc = DocumentOf<typeof emailChanges>;

/** An authenticator app. Its id is the user's id. */
export const TOTP_SECRETS = "authenticator apps";
export const totps = defineCollection({
  name: "totps",
  tenant: false,
  fields: {
    secret: sealed(TOTP_SECRETS),
    /** When the person first entered a code of the app. Until then, sign-ins do not ask for one. */
    confirmedAt: optionalOrNull(date()),
    /** The period of the last accepted code. Codes of this period and of earlier ones are no longer accepted. */
    lastPeriod: optional(number()),
    /** Keyed hashes of the remaining recovery codes. */
    recovery: strings(),
    /** The number of wrong codes in a row, and the time until which further ones are refused. */
    failures: number(),
    lockedUntil: optionalOrNull(date()),
    /** Counts the changes. Each change requires the version that it has read. */
    version: number(),
    createdAt: date(),
  },
});
export type TotpDoc = DocumentOf<typeof totps>;

/** A passkey. It identifies the person that the authenticator verified. */
export const passkeys = defineCollection({
  name: "passkeys",
  tenant: false,
  fields: {
    userId: string(),
    name: string(),
    credentialId: string(),
    publicKey: string(),
    /** Increases with each use, if the authenticator counts. */
    counter: number(),
    transports: strings(),
    synced: boolean(),
    createdAt: date(),
    usedAt: optionalOrNull(date()),
  },
  indexes: [[{ credentialId: 1 }, { unique: true }], [{ userId: 1 }]],
});

/** Hashed recovery codes of a person with passkeys and no authenticator app. The id is the user's. */
export const recoveries = defineCollection({
  name: "recoveries",
  tenant: false,
  fields: { hashes: strings(), version: number() },
});

/** Links a person at a provider to the account that this person signs in to. */
export const providerLinks = defineCollection({
  name: "providerLinks",
  tenant: false,
  fields: {
    userId: string(),
    /** The provider's id in the configuration at that time. The issuer and the subject identify the person. */
    provider: string(),
    issuer: string(),
    subject: string(),
    email: nullable(string()),
    createdAt: date(),
    usedAt: optional(date()),
  },
  indexes: [[{ issuer: 1, subject: 1 }, { unique: true }], [{ userId: 1 }]],
});
export type ProviderLinkDoc = DocumentOf<typeof providerLinks>;

/** A used sign-in attempt or logout token, until it expires by itself. Its id is a hash. */
export const spentTokens = defineCollection({
  name: "spentTokens",
  tenant: false,
  fields: { expiresAt: date() },
  indexes: [[{ expiresAt: 1 }]],
});

/** An event of an account, for its owner. The id contains the time. */
export const accountEvents = defineCollection({
  name: "accountEvents",
  tenant: false,
  fields: {
    userId: string(),
    type: string<AccountEventType>(),
    detail: optional(string()),
    address: optional(string()),
    userAgent: optional(string()),
  },
  indexes: [[{ userId: 1, _id: -1 }]],
});
export type AccountEventDoc = DocumentOf<typeof accountEvents>;

/** A key for programs. A revoked key is removed, so a key that exists is valid. */
export const apiKeys = defineCollection({
  name: "apiKeys",
  tenant: true,
  fields: {
    name: string(),
    role: oneOf(ROLES),
    /** A keyed hash of the API key. */
    hash: string(),
    createdBy: string(),
    /** The creator's membership. The key ends with it. */
    memberId: string(),
    createdAt: date(),
    expiresAt: optionalOrNull(date()),
    lastUsedAt: optionalOrNull(date()),
    /** What the key may do, and from which addresses. Absent means everything that the role allows, from everywhere. */
    scopes: optional(strings()),
    addresses: optional(strings()),
    /** The hash before the last rotation, and the time until which it is valid. */
    formerHash: optional(string()),
    formerUntil: optional(date()),
  },
  indexes: [
    [{ hash: 1 }, { unique: true }],
    [{ formerHash: 1 }, { unique: true, ...where("formerHash") }],
    [{ workspaceId: 1, _id: -1 }],
    [{ expiresAt: 1 }],
  ],
});
export type ApiKeyDoc = DocumentOf<typeof apiKeys>;

export const present = presenter(user, users);
export const presentProfile = (doc: UserDoc): Profile => ({
  ...present(doc),
  preferences: doc.preferences ?? {},
  hasPassword: !doc.noPassword,
  mails: doc.mails ?? "none",
  operator: isOperatorAddress(doc.email),
});
