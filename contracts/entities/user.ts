import { z } from "zod";
import { id, name, timestamp } from "../primitives.ts";

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

/** Who a request acts for. Only the gateway writes it, to `ctx.meta.identity`. */
export const identity = z.object({ kind: z.literal("user"), userId: id, sessionId: id });
export type Identity = z.infer<typeof identity>;
