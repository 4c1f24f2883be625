import { z } from "zod";
import { id, json, name, role, timestamp } from "../primitives.ts";

export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email())
  .meta({ format: "email", pattern: z.regexes.email.source });
export const isMailAddress = (text: string): boolean => email.safeParse(text).success;
/** Long enough to be worth hashing, and short enough that hashing it is not an attack by itself. */
export const password = z.string().min(12).max(256);

export const user = z
  .object({ id, email, name: name.nullable(), createdAt: timestamp, updatedAt: timestamp })
  .meta({ id: "User" });
export type User = z.infer<typeof user>;

const MAX_PREFERENCES = 8_192;

/** What a user chose for the web page. The service stores it and does not read it. */
export const preferences = z
  .record(z.string().min(1).max(100), json)
  .refine(
    value => JSON.stringify(value).length <= MAX_PREFERENCES,
    `Expected at most ${MAX_PREFERENCES} characters of JSON`,
  )
  .meta({ description: `What the user chose for the web page, at most ${MAX_PREFERENCES} characters of JSON.` });

/** Whether a person gets notifications by mail: not, each at once, or those of an hour together. */
export const mailChoice = z.enum(["none", "now", "hourly"]);
export type MailChoice = z.infer<typeof mailChoice>;

/** The signed-in user's own view. */
export const profile = user
  .extend({
    preferences,
    hasPassword: z.boolean().meta({ description: "Whether the account has a password that the person knows." }),
    mails: mailChoice.meta({ description: "Whether notifications come by mail: not, each at once, or hourly." }),
    operator: z.boolean().meta({ description: "The person is an operator of the installation." }),
  })
  .meta({ id: "Profile" });
export type Profile = z.infer<typeof profile>;

/** What a link that resets a password is for. */
export const passwordReset = z
  .object({ email, expiresAt: timestamp })
  .meta({ id: "PasswordReset", description: "The account whose password a link resets." });

/** The answer to a confirmation of a new address. */
export const addressConfirmed = z
  .object({
    email,
    done: z.boolean().meta({ description: "Both addresses have confirmed it, and the account has the new one." }),
  })
  .meta({ id: "AddressConfirmed" });

/** A sign-in that has not ended. */
export const session = z
  .object({
    id,
    kind: z.enum(["browser", "program"]).meta({ description: "`browser`: begun on the web page, kept in a cookie." }),
    userAgent: z.string().nullable().meta({ description: "What the browser called itself when it signed in." }),
    address: z.string().nullable().meta({ description: "The address from which the browser signed in." }),
    createdAt: timestamp,
    lastUsedAt: timestamp.meta({ description: "When an access token was last issued for it." }),
    expiresAt: timestamp,
    current: z.boolean().meta({ description: "It is the session of this request." }),
  })
  .meta({ id: "Session" });
export type Session = z.infer<typeof session>;

/** The answer to a sign-in on the web page. The session itself is in a cookie that scripts cannot read. */
export const browserSession = z
  .object({ user: profile, accessToken: z.string(), expiresAt: timestamp })
  .meta({ id: "BrowserSession" });
export type BrowserSession = z.infer<typeof browserSession>;

/** What a person carries from the web page to a command that asks to sign in. */
export const commandCode = z
  .object({
    code: z.string().meta({ description: "It works once, for the command that made the challenge." }),
    expiresAt: timestamp,
  })
  .meta({ id: "CommandCode" });

/** The answer to a successful sign-in. */
export const signedIn = z
  .object({ user, accessToken: z.string(), expiresAt: timestamp, refreshToken: z.string() })
  .meta({ id: "SignedIn" });
export type SignedIn = z.infer<typeof signedIn>;

const userIdentity = z.object({
  kind: z.literal("user"),
  userId: id,
  sessionId: id,
  /** A second factor, or a passkey, proved the session. */
  factor: z.boolean().optional(),
});
export type UserIdentity = z.infer<typeof userIdentity>;

/** An API key. It acts in its creator's name, with its own role and in its one workspace only. */
const apiKeyIdentity = z.object({
  kind: z.literal("apiKey"),
  /** The user who created the key. */
  userId: id,
  keyId: id,
  workspaceId: id,
  /** The role of the key. The creator's current role applies when it is lower. */
  role,
  /** The creator's membership. The key ends with it and stays ended even if the creator joins again. */
  memberId: id,
  /** What the key may do. Without scopes, all that its role allows. */
  scopes: z.array(z.string()).optional(),
});

/** The identity that a request acts for. Only the gateway writes it, to `ctx.meta.identity`. */
export const identity = z.discriminatedUnion("kind", [userIdentity, apiKeyIdentity]);
export type Identity = z.infer<typeof identity>;

/** The principal that limits count: a user with all sessions, or one API key. */
export const principalOf = (who: Identity): string => (who.kind === "apiKey" ? who.keyId : who.userId);

/** The credential that ends when this caller's access ends: one session, or one API key. */
export const credentialOf = (who: Identity): string => (who.kind === "apiKey" ? who.keyId : who.sessionId);
