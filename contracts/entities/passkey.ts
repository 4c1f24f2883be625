import { z } from "zod";
import { id, json, name, timestamp } from "../primitives.ts";

/** A passkey (WebAuthn) of a person. */
export const passkey = z
  .object({
    id,
    name,
    synced: z
      .boolean()
      .meta({ description: "True if its provider keeps a copy, so that it can be on several devices." }),
    createdAt: timestamp,
    usedAt: timestamp.nullable(),
  })
  .meta({ id: "Passkey" });
export type Passkey = z.infer<typeof passkey>;

/** The data with which a browser creates or uses a passkey. */
export const passkeyAttempt = z
  .object({
    options: z
      .record(z.string(), json)
      .meta({ description: "For `navigator.credentials`, as JSON (WebAuthn Level 3)." }),
    attempt: z
      .string()
      .meta({ description: "Opaque. Send it with the response of the browser, once, within ten minutes." }),
  })
  .meta({ id: "PasskeyAttempt" });

/** The response of a browser. */
export const passkeyAnswer = {
  attempt: z.string().min(1).max(4_096),
  response: z
    .record(z.string().max(100), json)
    .meta({ description: "The credential of `navigator.credentials`, by its `toJSON()`." }),
};

/** A new passkey. The first factor of an account comes with recovery codes. */
export const newPasskey = z
  .object({
    passkey,
    recoveryCodes: z.array(z.string()).nullable().meta({
      description:
        "Recovery codes. Each works once, instead of a passkey. They are shown only here. Null if the account has some already.",
    }),
  })
  .meta({ id: "NewPasskey" });
