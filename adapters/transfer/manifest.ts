import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { TransferError } from "./transfer-error.ts";
import { KEY_NAMES } from "./keys.ts";

export const MANIFEST = "manifest.json";
/** As a store's file is called in its data folder. */
export const STORE_FILE = "weft.db";

const FORMAT = 1;
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const fileNames = [STORE_FILE, ...Object.values(KEY_NAMES)] as const;

const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  /** The version of Weft that made it. */
  weft: z.string(),
  /** All that was acknowledged before this moment is in it. */
  createdAt: z.iso.datetime(),
  files: z.array(z.strictObject({ name: z.enum(fileNames), bytes: z.int().min(0), sha256 })),
  /** Of each collection. `hash` is that of a `Digester`. */
  collections: z.record(z.string(), z.strictObject({ count: z.int().min(0), hash: sha256 })),
  /** What tells which keys the documents were made with, and nothing of the keys themselves; null where it is not known. */
  keys: z.strictObject({ JWT_SECRET: z.string().nullable(), SECRETS_KEY: z.string().nullable() }),
  /** Of all the rest, as JSON without spaces. The first backups had none. */
  sha256: sha256.optional(),
});

export type Manifest = z.output<typeof manifestSchema>;

const checksum = ({ sha256: _, ...rest }: Partial<Manifest>): string =>
  createHash("sha256").update(JSON.stringify(rest)).digest("hex");

export function newManifest(content: Omit<Manifest, "format" | "sha256">): Manifest {
  const manifest = { format: FORMAT, ...content } as const;
  return { ...manifest, sha256: checksum(manifest) };
}

/** Errors: TransferError. */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new TransferError(`${folder} is no backup: ${MANIFEST} cannot be read (${error.code ?? error.message})`);
  });
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new TransferError(`${path} is damaged: it is no JSON`);
  }
  const { success, data, error } = manifestSchema.safeParse(content);
  if (success) {
    // In the order in which it was written.
    if (data.sha256 === undefined || data.sha256 === checksum(content as Manifest)) return data;
    throw new TransferError(`${path} is damaged: it is not what it was (its checksum differs)`);
  }
  const [issue] = error.issues;
  throw new TransferError(
    issue?.path[0] === "format"
      ? `${path} has a format that this version does not know, expected ${FORMAT}`
      : `${path} is damaged: ${issue?.path.join(".") || issue?.message}`,
  );
}
