import { MongoClient } from "mongodb";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { storeAt } from "./real-servers.ts";

/** All files below a folder, by relative path. */
export function filesIn(folder: string): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    found.set(path.slice(folder.length + 1), readFileSync(path));
  }
  return found;
}

/** Everything that a node on this folder stores: its files, and with MongoDB its documents as JSON, by collection. */
export async function everythingIn(dataDir: string): Promise<Map<string, Buffer>> {
  const found = filesIn(dataDir);
  const { mongodbUri } = storeAt(dataDir);
  if (!mongodbUri) return found;
  const client = await MongoClient.connect(mongodbUri);
  try {
    for (const collection of await client.db().collections()) {
      const documents = await collection.find().toArray();
      found.set(collection.collectionName, Buffer.from(JSON.stringify(documents)));
    }
  } finally {
    await client.close();
  }
  return found;
}

/** The encodings in which a text may have been stored by mistake. */
function spellings(secret: string): Buffer[] {
  const bytes = Buffer.from(secret);
  // The base64 of the text for each offset in a group of three bytes, without the characters that depend on its
  // neighbours.
  const base64 = [0, 1, 2].map(at => {
    const shifted = Buffer.concat([Buffer.alloc(at), bytes]).toString("base64");
    return shifted.slice(at === 0 ? 0 : 4, -4);
  });
  const text = [secret, encodeURIComponent(secret), bytes.toString("hex"), ...base64];
  const web = base64.map(one => one.replaceAll("+", "-").replaceAll("/", "_"));
  return [...new Set([...text, ...web])].map(one => Buffer.from(one)).concat(Buffer.from(secret, "utf16le"));
}

/** The number of bytes that are compared first. */
const WINDOW = 4;

/** Texts to find in one pass over some bytes, however many texts there are. */
class Needles {
  readonly #byStart = new Map<number, { name: string; bytes: Buffer }[]>();
  /** The low halves of all beginnings, because most windows match none and need no further check. */
  readonly #low = new Uint8Array(65_536);

  add(name: string, bytes: Buffer): void {
    if (bytes.length < WINDOW) throw new Error(`Too short to be found: ${name}`);
    const start = bytes.readUInt32BE();
    this.#byStart.set(start, [...(this.#byStart.get(start) ?? []), { name, bytes }]);
    this.#low[start & 0xffff] = 1;
  }

  /** The names of the texts that occur. */
  in(place: Buffer): Set<string> {
    const found = new Set<string>();
    let window = 0;
    for (let at = 0; at < place.length; at++) {
      window = ((window << 8) | place[at]!) >>> 0;
      if (this.#low[window & 0xffff] === 0 || at < WINDOW - 1) continue;
      const from = at - WINDOW + 1;
      for (const { name, bytes } of this.#byStart.get(window) ?? [])
        if (place.subarray(from, from + bytes.length).equals(bytes)) found.add(name);
    }
    return found;
  }
}

/** The places of secrets, as sentences with the names of the secret and of the text or file. */
export function findSecrets(secrets: Record<string, string>, places: Map<string, Buffer>): string[] {
  const needles = new Needles();
  for (const [name, secret] of Object.entries(secrets))
    for (const bytes of spellings(secret)) if (bytes.length >= WINDOW) needles.add(name, bytes);
  return [...places].flatMap(([place, bytes]) => [...needles.in(bytes)].map(name => `${name} is in ${place}`));
}
