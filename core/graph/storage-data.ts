import { z } from "zod";

/** The longest key of an object, in bytes of UTF-8. */
const MAX_KEY_BYTES = 1_024;
/** The most objects of one list. */
export const MAX_LISTED = 10_000;
const WEEK_SECONDS = 604_800;

const utf8 = (text: string) => new TextEncoder().encode(text).length;

/** A URL drops the segments `.` and `..`, so they would lead to another object, or to another bucket. */
const key = z
  .string()
  .min(1)
  .max(MAX_KEY_BYTES)
  .refine(text => utf8(text) <= MAX_KEY_BYTES, `Must have at most ${MAX_KEY_BYTES} bytes`)
  .refine(text => !text.split("/").some(part => part === "." || part === ".."), "Must not have a part `.` or `..`");

const place = {
  credential: z.uuid(),
  bucket: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "Expected the name of a bucket")
    .optional(),
};

/** The data of an `s3` step. */
export const s3 = z.discriminatedUnion("action", [
  z.object({
    action: z.literal("put"),
    ...place,
    key,
    body: z.custom<unknown>(value => value !== undefined, "is needed"),
    contentType: z.string().min(1).max(200).optional(),
  }),
  z.object({ action: z.literal("get"), ...place, key }),
  z.object({
    action: z.literal("list"),
    ...place,
    prefix: z.string().max(MAX_KEY_BYTES).default(""),
    limit: z.int().min(1).max(MAX_LISTED).default(1_000),
  }),
  z.object({ action: z.literal("delete"), ...place, key }),
  z.object({
    action: z.literal("presign"),
    ...place,
    key,
    method: z.enum(["GET", "PUT"]).default("GET"),
    expiresInSeconds: z.int().min(1).max(WEEK_SECONDS).default(3_600),
  }),
]);
