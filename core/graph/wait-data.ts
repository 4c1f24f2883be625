import { z } from "zod";
import { callSignature } from "../../contracts/entities/webhook-auth.ts";
import { MAX_DELAY_MS, MAX_FORM_CHARS, text } from "./node-data.ts";

/** The types of credentials with which callers of a step's address can authenticate. */
export const CALLER_CREDENTIALS = ["basic", "bearer", "header", "hmac"] as const;

/** What a wait is for: a signal with this name, and with this key if it names one. */
export const wait = z
  .object({
    event: text(200).min(1).optional(),
    key: z.union([text(200).min(1), z.number()]).optional(),
    schema: z
      .record(z.string(), z.unknown())
      .refine(schema => JSON.stringify(schema).length <= MAX_FORM_CHARS, "Must not be larger than 32 KiB")
      .optional(),
    expiresInMs: z.number().min(1).max(MAX_DELAY_MS).optional(),
    credential: z.uuid().optional(),
    signature: callSignature.optional(),
  })
  .refine(({ signature, credential }) => signature === undefined || credential !== undefined, {
    path: ["signature"],
    message: "Needs a `credential` of the type `hmac`, whose key signs the calls",
  });
