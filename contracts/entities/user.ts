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
/** The minimum makes a password hard to guess. The maximum prevents long hash computations. */
export const password = z.string().min(12).max(256);

export const user = z
  .object({ id, email, name: name.nullable(), createdAt: timestamp, updatedAt: timestamp })
  .meta({ id: "User" });
export type User = z.infer<typeof user>;

const MAX_PREFERENCES = 8_192;

/** A user's settings of the web page. The service stores them and does not read them. */
export const preferences = z
  .record(z.string().min(1).max(100), json)
  .refine(
    value => JSON.stringify(value).length <= MAX_PREFERENCES,
    `Expected at most ${MAX_PREFERENCES} characters of JSON`,
  )
  .meta({ description: `What the user chose for the web page, at most ${MAX_PREFERENCES} characters of JSON.` });

/** How a person receives notifications by mail: not at all, each at once, or hourly together. */
export const mailChoice = z.enum(["none", "now", "hourly"]);
export type MailChoice = z.infer<typeof mailChoice>;

/** The signed-in user's own view. */
export const profile = user
  .extend({
    preferences,
    hasPassword: z.boolean().meta({ description: "Whether the account has a password that the person knows." }),
    mails: mailChoice.meta({
      description: "Whether notifications are sent by mail: not at all, each at once, or hourly.",
    }),
    operator: z.boolean().meta({ description: "True if the person is an operator of the installation." }),
  })
  .meta({ id: "Profile" });
export type Profile = z.infer<typeof profile>;

/** The account of a link that resets a password. */
export const passwordReset = z
  .object({ email, expiresAt: timestamp })
  .meta({ id: "PasswordReset", description: "The account whose password a link resets." });

/** The response to a confirmation of a new address. */
export const addressConfirmed = z
  .object({
    email,
    done: z
      .boolean()
      .meta({ description: "True if both addresses have confirmed the change, and the account has the new one." }),
  })
  .meta({ id: "AddressConfirmed" });

/** A sign-in that has not ended. */
export const session = z
  .object({
    id,
    kind: z
      .enum(["browser", "program"])
      .meta({ description: "`browser`: the session began on the web page, and is kept in a cookie." }),
    userAgent: z.string().nullable().meta({ description: "The user agent of the browser at the sign-in." }),
    address: z.string().nullable().meta({ description: "The address from which the browser signed in." }),
    createdAt: timestamp,
    lastUsedAt: timestamp.meta({ description: "When an access token was last issued for it." }),
    expiresAt: timestamp,
    current: z.boolean().meta({ description: "True if it is the session of this request." }),
  })
  .meta({ id: "Session" });
export type Session = z.infer<typeof session>;

/** The response to a sign-in on the web page. The session itself is in a cookie that scripts cannot read. */
export const browserSession = z
  .object({ user: profile, accessToken: z.string(), expiresAt: timestamp })
  .meta({ id: "BrowserSession" });
export type BrowserSession = z.infer<typeof browserSession>;

/** The code that a person copies from the web page to a command that signs in. */
export const commandCode = z
  .object({
    code: z.string().meta({ description: "It works once, and only for the command that created the challenge." }),
    expiresAt: timestamp,
  })
  .meta({ id: "CommandCode" });

/** The response to a successful sign-in. */
export const signedIn = z
  .object({ user, accessToken: z.string(), expiresAt: timestamp, refreshToken: z.string() })
  .meta({ id: "SignedIn" });
export type SignedIn = z.infer<typeof signedIn>;

const userIdentity = z.object({
  kind: z.literal("user"),
  userId: id,
  sessionId: id,
  /** True if a second factor, or a passkey, proved the session. */
  factor: z.boolean().optional(),
});
export type UserIdentity = z.infer<typeof userIdentity>;

/** An API key. It acts in its creator's name, but with its own role and only in its own workspace. */
const apiKeyIdentity = z.object({
  kind: z.literal("apiKey"),
  /** The user who created the key. */
  userId: id,
  keyId: id,
  /** Nodes of earlier versions do not send it. */
  keyName: z.string().optional(),
  workspaceId: id,
  /** The role of the key. If the creator's current role is lower, that role applies. */
  role,
  /** The creator's membership. The key ends with it, and stays ended even if the creator joins again. */
  memberId: id,
  /** What the key may do. Absent means everything that its role allows. */
  scopes: z.array(z.string()).optional(),
});

/** The identity on whose behalf a request acts. Only the gateway writes it, to `ctx.meta.identity`. */
export const identity = z.discriminatedUnion("kind", [userIdentity, apiKeyIdentity]);
export type Identity = z.infer<typeof identity>;

/** The principal that limits count: a user with all sessions, or one API key. */
export const principalOf = (who: Identity): string => (who.kind === "apiKey" ? who.keyId : who.userId);

/** The credential that ends when this caller's access ends: one session, or one API key. */
export const credentialOf = (who: Identity): string => (who.kind === "apiKey" ? who.keyId : who.sessionId);
