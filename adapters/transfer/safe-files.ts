import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { lstat, open, readdir, writeFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";

const CHUNK_BYTES = 1024 * 1024;

/** Writes a new file that only its owner can read. */
export const writePrivate = (path: string, text: string): Promise<void> =>
  writeFile(path, text, { mode: 0o600, flag: "wx" });

/** Makes a file, or the entries of a folder, survive a power cut. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Copies into a new file that only its owner can read and that survives a power cut. An error of `onBytes` ends the
 * copy.
 */
export async function copyPrivate(from: string, to: string, onBytes: (count: number) => void): Promise<void> {
  let bytes = 0;
  const count = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      onBytes((bytes += chunk.length));
      yield chunk;
    }
  };
  const source = createReadStream(from, { highWaterMark: CHUNK_BYTES });
  await pipeline(source, count, createWriteStream(to, { flags: "wx", mode: 0o600 }));
  await flush(to);
}

/** The SHA-256 of a file, in hexadecimal. An error of `onBytes` ends the reading. */
export async function fileHash(
  path: string,
  onBytes: (count: number) => void,
): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    onBytes((bytes += chunk.length));
  }
  return { sha256: hash.digest("hex"), bytes };
}

export const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** The entries of a folder; empty if it does not exist. `lost+found` belongs to the file system. */
export async function contentsOf(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter(name => name !== "lost+found");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
