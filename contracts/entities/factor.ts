import { z } from "zod";
import { timestamp } from "../primitives.ts";

/** A code of an authenticator app, or a recovery code, as people type it. */
export const factorCode = z.string().min(6).max(60);

/** The means that prove a person's sign-in in addition to the password. */
export const factors = z
  .object({
    totp: z
      .boolean()
      .meta({ description: "True if an authenticator app is set up. A sign-in by password then needs its code." }),
    since: timestamp.nullable(),
    proved: z
      .boolean()
      .meta({ description: "True if the session of this request was verified by a second factor or a passkey." }),
    passkeys: z
      .int()
      .meta({ description: "The passkeys. With one, a sign-in by password needs a second factor, too." }),
    recoveryCodes: z.int().meta({ description: "The number of unused recovery codes." }),
  })
  .meta({ id: "Factors" });
export type Factors = z.infer<typeof factors>;

/** The secret of an authenticator app that is being set up. */
export const newTotp = z
  .object({
    secret: z.string().meta({ description: "Base32, for apps that do not accept an address." }),
    uri: z.string().meta({ description: "The `otpauth:` address, usually shown as a QR code." }),
  })
  .meta({ id: "NewTotp" });

export const recoveryCodes = z
  .object({
    recoveryCodes: z
      .array(z.string())
      .meta({ description: "Recovery codes. Each works once. They are shown only here." }),
  })
  .meta({ id: "RecoveryCodes" });
