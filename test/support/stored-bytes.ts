import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** All files below a folder, by their paths from it. */
export function filesIn(folder: string): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    found.set(path.slice(folder.length + 1), readFileSync(path));
  }
  return found;
}

/** The ways in which a text may lie somewhere by mistake. */
function spellings(secret: string): Buffer[] {
  const bytes = Buffer.from(secret);
  // Base64 of it as it begins at each place of a group of three, without what its neighbours decide.
  const base64 = [0, 1, 2].map(at => {
    const shifted = Buffer.concat([Buffer.alloc(at), bytes]).toString("base64");
    return shifted.slice(at === 0 ? 0 : 4, -4);
  });
  const text = [secret, encodeURIComponent(secret), bytes.toString("hex"), ...base64];
  const web = base64.map(one => one.replaceAll("+", "-").replaceAll("/", "_"));
  return [...new Set([...text, ...web])].map(one => Buffer.from(one)).concat(Buffer.from(secret, "utf16le"));
}

/** Where secrets are found, as sentences: each by its name, in texts and files by theirs. */
export function findSecrets(secrets: Record<string, string>, places: Map<string, Buffer>): string[] {
  const wanted = Object.entries(secrets).map(([name, secret]) => [name, spellings(secret)] as const);
  return [...places].flatMap(([place, bytes]) =>
    wanted.filter(([, all]) => all.some(one => bytes.includes(one))).map(([name]) => `${name} is in ${place}`),
  );
}
