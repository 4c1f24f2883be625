import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { OBJECT_LIST } from "./backup-objects.ts";
import { TransferError } from "./transfer.ts";
import { KEY_NAMES } from "./keys.ts";

export const MANIFEST = "manifest.json";
/** The name of a store's file in its data folder. */
export const STORE_FILE = "weft.db";

const FORMAT = 1;
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const fileNames = [STORE_FILE, OBJECT_LIST, ...Object.values(KEY_NAMES)] as const;

const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  /** The version of Weft that made the backup. */
  weft: z.string(),
  /** The backup contains every write that was acknowledged before this moment. */
  createdAt: z.iso.datetime(),
  files: z.array(z.strictObject({ name: z.enum(fileNames), bytes: z.int().min(0), sha256 })),
  /** The digest of each collection. `hash` is computed by `Digester`. */
  collections: z.record(z.string(), z.strictObject({ count: z.int().min(0), hash: sha256 })),
  /** Identifies the keys that the documents depend on, and reveals nothing about them. Null when a key is unknown. */
  keys: z.strictObject({ JWT_SECRET: z.string().nullable(), SECRETS_KEY: z.string().nullable() }),
  /** The hash of the other fields, as JSON without spaces. The oldest backups lack it. */
  sha256: sha256.optional(),
});

export type Manifest = z.output<typeof manifestSchema>;

const checksum = ({ sha256: _, ...rest }: Partial<Manifest>): string =>
  createHash("sha256").update(JSON.stringify(rest)).digest("hex");

export function newManifest(content: Omit<Manifest, "format" | "sha256">): Manifest {
  const manifest = { format: FORMAT, ...content } as const;
  return { ...manifest, sha256: checksum(manifest) };
}

/**
 * Reads a backup's manifest.
 * @throws {TransferError} when it is missing, damaged, or of an unknown format.
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new TransferError(`${folder} is not a backup: ${MANIFEST} cannot be read (${error.code ?? error.message})`);
  });
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new TransferError(`${path} is damaged: it is not JSON`);
  }
  const { success, data, error } = manifestSchema.safeParse(content);
  if (success) {
    // Computed from the parsed content, which keeps the order in which it was written.
    if (data.sha256 === undefined || data.sha256 === checksum(content as Manifest)) return data;
    throw new TransferError(`${path} is damaged: its checksum differs`);
  }
  const [issue] = error.issues;
  throw new TransferError(
    issue?.path[0] === "format"
      ? `${path} has a format that this version does not know, expected ${FORMAT}`
      : `${path} is damaged: ${issue?.path.join(".") || issue?.message}`,
  );
}
