import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { SealingKey } from "../secrets/keyring.ts";
import { writePrivate } from "./safe-files.ts";
import { TransferError } from "./transfer.ts";

/** The keys that documents depend on, and the files in a data folder that store them when they are not configured. */
export const KEY_NAMES = { JWT_SECRET: "jwt-secret", SECRETS_KEY: "secrets-key" } as const;
export type KeyName = keyof typeof KEY_NAMES;

/** The values of each key, the current one first. There are several while a key is being replaced. */
export type Keys = Record<KeyName, readonly string[]>;

/** The keys in a data folder; an empty list for a missing key. */
export function keptKeys(dataDir: string): Keys {
  const read = (file: string): string[] => {
    try {
      return readFileSync(join(dataDir, file), "utf8")
        .trim()
        .split(/\s*\n\s*/);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  };
  return { JWT_SECRET: read(KEY_NAMES.JWT_SECRET), SECRETS_KEY: read(KEY_NAMES.SECRETS_KEY) };
}

/** Identifies a key without revealing anything about it. */
export const keyId = (key: string | undefined): string | null => (key === undefined ? null : new SealingKey(key).id);

/** Merges keys. Those of `first` precede those that only `second` has. */
export const mergeKeys = (first: Keys, second: Keys): Keys => ({
  JWT_SECRET: [...new Set([...first.JWT_SECRET, ...second.JWT_SECRET])],
  SECRETS_KEY: [...new Set([...first.SECRETS_KEY, ...second.SECRETS_KEY])],
});

const NAMES = Object.keys(KEY_NAMES) as KeyName[];

/** The names of the files for the existing keys. */
export const keyFiles = (keys: Keys) => NAMES.filter(name => keys[name].length > 0).map(name => KEY_NAMES[name]);

export async function writeKeys(folder: string, keys: Keys): Promise<void> {
  for (const name of NAMES)
    if (keys[name].length > 0) await writePrivate(join(folder, KEY_NAMES[name]), keys[name].join("\n"));
}

/**
 * Copies the keys of one data folder to another.
 * @throws {TransferError} when the other folder has different keys.
 */
export async function copyKeys(from: string, to: string): Promise<void> {
  const [keys, there] = [keptKeys(from), keptKeys(to)];
  const other = NAMES.find(name => there[name].length > 0 && keyId(there[name][0]) !== keyId(keys[name][0]));
  if (other) throw new TransferError(`${join(to, KEY_NAMES[other])} already exists and contains another key`);
  await mkdir(to, { recursive: true, mode: 0o700 });
  const missing = NAMES.map(name => [name, there[name].length > 0 ? [] : keys[name]]);
  await writeKeys(to, Object.fromEntries(missing) as Keys);
}
