import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";

/** SHA-1 in hexadecimal. */
const HASH_CHARS = 40;
/** Longer than a line with a hash and its count. */
const WINDOW = 256;

/** The hash of the first complete line at or after `from`, and where that line begins; null at the end of the file. */
async function lineAfter(file: FileHandle, from: number): Promise<{ hash: string; start: number } | null> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(WINDOW), 0, WINDOW, from);
  const text = buffer.toString("latin1", 0, bytesRead);
  const skip = from === 0 ? 0 : text.indexOf("\n") + 1;
  const hash = text.slice(skip, skip + HASH_CHARS).toUpperCase();
  if ((from > 0 && skip === 0) || hash.length < HASH_CHARS) return null;
  return { hash, start: from + skip };
}

/**
 * Whether a file of breached passwords contains this one. The file has one line per password: its SHA-1 in hexadecimal,
 * optionally followed by a colon and a count, sorted by hash. A list of hundreds of millions of passwords is searched
 * without loading it.
 * @throws {Error} when the file cannot be read
 */
export async function isBreached(path: string, password: string): Promise<boolean> {
  const wanted = createHash("sha1").update(password).digest("hex").toUpperCase();
  const file = await open(path, "r");
  try {
    let low = 0;
    let high = (await file.stat()).size;
    // The line with the hash, if there is one, begins in [low, high).
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const line = await lineAfter(file, middle);
      if (line?.hash === wanted) return true;
      if (line && line.start < high && line.hash < wanted) low = line.start + 1;
      else high = middle;
    }
    return (await lineAfter(file, Math.max(0, low - 1)))?.hash === wanted;
  } finally {
    await file.close();
  }
}
