import { z } from "zod";
import { id, timestamp } from "../primitives.ts";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, "Expected a SHA-256 in lower-case hexadecimal");

export const MAX_FILE_NAME = 255;

const fields = {
  id,
  name: z.string().min(1).max(MAX_FILE_NAME),
  /** The media type that the sender stated. It is never guessed from the bytes. */
  type: z.string().max(200),
  /** In bytes. */
  size: z.int().min(0),
  sha256,
};

/** The form in which runs refer to a file: `{"$file": …}` is a value like any other, and never contains the bytes. */
export const fileValue = z.object({ $file: z.object(fields) }).meta({ id: "FileValue" });
export type FileValue = z.infer<typeof fileValue>;

export const file = z
  .object({ ...fields, workspaceId: id, createdBy: id.nullable(), createdAt: timestamp })
  .meta({ id: "StoredFile" });
export type StoredFile = z.infer<typeof file>;

/** The reference of a file in a value. */
export const fileValueOf = ({ id, name, type, size, sha256 }: FileValue["$file"]): FileValue => ({
  $file: { id, name, type, size, sha256 },
});
