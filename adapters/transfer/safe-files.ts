import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, open, readdir, writeFile } from "node:fs/promises";

/** Writes a new file that only its owner can read. */
export const writePrivate = (path: string, text: string): Promise<void> =>
  writeFile(path, text, { mode: 0o600, flag: "wx" });

/** Has a file, or what a folder lists, survive a power cut. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The SHA-256 of a file, in hexadecimal. What `onBytes` throws ends it. */
export async function fileHash(
  path: string,
  onBytes: (count: number) => void,
): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
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

/** What is in a folder; nothing where there is none. `lost+found` is the file system's own. */
export async function contentsOf(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter(name => name !== "lost+found");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
