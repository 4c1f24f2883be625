import { z } from "zod";
import { id, name, role, timestamp } from "../primitives.ts";

export const email = z.string().trim().toLowerCase().max(254).pipe(z.email());
/** Long enough to be worth hashing, short enough not to be a load by itself. */
export const password = z.string().min(12).max(256);

export const user = z
  .object({ id, email, name: name.nullable(), createdAt: timestamp, updatedAt: timestamp })
  .meta({ id: "User" });
export type User = z.infer<typeof user>;

/** What a successful sign-in gives. */
export const signedIn = z
  .object({ user, accessToken: z.string(), expiresAt: timestamp, refreshToken: z.string() })
  .meta({ id: "SignedIn" });
export type SignedIn = z.infer<typeof signedIn>;

const userIdentity = z.object({ kind: z.literal("user"), userId: id, sessionId: id });
export type UserIdentity = z.infer<typeof userIdentity>;

/** An API key: what it does is done in its creator's name, with its own role and no further than its one workspace. */
const apiKeyIdentity = z.object({
  kind: z.literal("apiKey"),
  /** Its creator. */
  userId: id,
  keyId: id,
  workspaceId: id,
  /** The creator's role counts where it is lower by now. */
  role,
  /** The creator's membership; the key ends with it, also where the creator comes back. */
  memberId: id,
});

/** Who a request acts for. Only the gateway writes it, to `ctx.meta.identity`. */
export const identity = z.discriminatedUnion("kind", [userIdentity, apiKeyIdentity]);
export type Identity = z.infer<typeof identity>;

/** Whom limits count: a user with all sessions, or one API key. */
export const principalOf = (who: Identity): string => (who.kind === "apiKey" ? who.keyId : who.userId);

/** What is ended when this caller's access is: one session, or one API key. */
export const credentialOf = (who: Identity): string => (who.kind === "apiKey" ? who.keyId : who.sessionId);
