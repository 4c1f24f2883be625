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
    /** The hash is that of a random password: the person signs in by a provider. */
    noPassword: optional(boolean()),
    preferences: optional(json<Record<string, unknown>>()),
    /** The account that was admitted because there was no other. Unique, so that one of several first accounts wins. */
    first: optional(boolean()),
    /** The account cannot be used. */
    disabledAt: optionalOrNull(date()),
    /** Whether notifications come by mail; not, where it is absent. */
    mails: optional(oneOf(mailChoice.options)),
    /** The provider's link or the passkey that was removed last, or is about to be. */
    leaving: optionalOrNull(string()),
    createdAt: date(),
    updatedAt: date(),
    /** A deleted account keeps its id until what belonged to it is gone. */
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
    /** The session began on the web page and is kept in a cookie. Its token is not a refresh token. */
    browser: optional(boolean()),
    userAgent: optional(string()),
    address: optional(string()),
    /** What proved the sign-in beside the password. */
    factor: optional(oneOf(["totp", "recovery", "passkey", "provider"])),
    /** The provider by which the sign-in was made, and the session there, which a logout names. */
    provider: optional(string()),
    providerSid: optional(string()),
    /** When an access token was last issued, if that is later than `updatedAt`. */
    usedAt: optional(date()),
    createdAt: date(),
    updatedAt: date(),
    expiresAt: date(),
  },
  indexes: [[{ userId: 1 }], [{ expiresAt: 1 }], [{ providerSid: 1 }, where("providerSid")]],
});
export type SessionDoc = DocumentOf<typeof sessions>;

/** The permission to set a new password once. The link that a person follows names it. */
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

/** An authenticator app. Its id is that of its user. */
export const TOTP_SECRETS = "authenticator apps";
export const totps = defineCollection({
  name: "totps",
  tenant: false,
  fields: {
    secret: sealed(TOTP_SECRETS),
    /** The person has shown a code of it. Until then, sign-ins do not ask for one. */
    confirmedAt: optionalOrNull(date()),
    /** The period of the last code that was accepted. Neither that code nor an earlier one is accepted again. */
    lastPeriod: optional(number()),
    /** Keyed hashes of the recovery codes that are left. */
    recovery: strings(),
    /** Wrong codes in a row, and until when further ones are refused. */
    failures: number(),
    lockedUntil: optionalOrNull(date()),
    /** Counts the changes: each is made to the document as it was read. */
    version: number(),
    createdAt: date(),
  },
});
export type TotpDoc = DocumentOf<typeof totps>;

/** A passkey. The person is who its authenticator verified. */
export const passkeys = defineCollection({
  name: "passkeys",
  tenant: false,
  fields: {
    userId: string(),
    name: string(),
    credentialId: string(),
    publicKey: string(),
    /** Grows with each use, if the authenticator counts. */
    counter: number(),
    transports: strings(),
    synced: boolean(),
    createdAt: date(),
    usedAt: optionalOrNull(date()),
  },
  indexes: [[{ credentialId: 1 }, { unique: true }], [{ userId: 1 }]],
});

/** Keyed hashes of the recovery codes of a person with passkeys and no authenticator app. Its id is that of the user. */
export const recoveries = defineCollection({
  name: "recoveries",
  tenant: false,
  fields: { hashes: strings(), version: number() },
});

/** A person at a provider who signs in to an account. */
export const providerLinks = defineCollection({
  name: "providerLinks",
  tenant: false,
  fields: {
    userId: string(),
    /** The id that the provider had in the configuration. The issuer and the subject identify the person. */
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

/** An attempt or a logout token that was used, until it expires by itself. Its id is a hash. */
export const spentTokens = defineCollection({
  name: "spentTokens",
  tenant: false,
  fields: { expiresAt: date() },
  indexes: [[{ expiresAt: 1 }]],
});

/** What was done with an account, for its owner. The id contains the time. */
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
    /** A keyed hash of the key. */
    hash: string(),
    createdBy: string(),
    /** The creator's membership. The key ends with it. */
    memberId: string(),
    createdAt: date(),
    expiresAt: optionalOrNull(date()),
    lastUsedAt: optionalOrNull(date()),
    /** What the key may do, and where. Absent: all that the role allows, and everywhere. */
    scopes: optional(strings()),
    addresses: optional(strings()),
    /** The hash before the last rotation, and until when it is valid. */
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
