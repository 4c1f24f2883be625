import { z } from "zod";
import { timestamp } from "../primitives.ts";

/** A code of an authenticator app, or a recovery code, as people type it. */
export const factorCode = z.string().min(6).max(60);

/** The means that prove a person's sign-in in addition to the password. */
export const factors = z
  .object({
    totp: z.boolean().meta({ description: "An authenticator app is set up: a sign-in by password needs its code." }),
    since: timestamp.nullable(),
    proved: z.boolean().meta({ description: "A second factor, or a passkey, proved the session of this request." }),
    passkeys: z
      .int()
      .meta({ description: "The passkeys. With one, a sign-in by password needs a second factor, too." }),
    recoveryCodes: z.int().meta({ description: "The recovery codes that are left." }),
  })
  .meta({ id: "Factors" });
export type Factors = z.infer<typeof factors>;

/** The secret of an authenticator app that is being set up. */
export const newTotp = z
  .object({
    secret: z.string().meta({ description: "Base32, for apps that take no address." }),
    uri: z.string().meta({ description: "The `otpauth:` address, usually shown as a QR code." }),
  })
  .meta({ id: "NewTotp" });

export const recoveryCodes = z
  .object({ recoveryCodes: z.array(z.string()).meta({ description: "Each works once. They are shown only here." }) })
  .meta({ id: "RecoveryCodes" });
