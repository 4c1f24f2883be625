import { dirname, join, resolve } from "node:path";
import { Digester, type Digest, takeApart } from "../store/digest.ts";
import type { CollectionSpec } from "../store/port.ts";
import { sqliteCode } from "../store/sqlite/connection.ts";
import { FrozenFile } from "../store/sqlite/frozen-file.ts";
import { takeSnapshot } from "../store/sqlite/take-snapshot.ts";
import { Draft } from "./draft.ts";
import { TransferError } from "./transfer-error.ts";
import { bothKeys, keptKeys, keyFiles, type KeyName, keyId, writeKeys } from "./keys.ts";
import { MANIFEST, type Manifest, newManifest, STORE_FILE } from "./manifest.ts";
import type { OnProgress } from "./progress.ts";
import { exists, fileHash, flush, writePrivate } from "./safe-files.ts";

export interface BackupSettings {
  dataDir: string;
  /** A folder that is not there yet. */
  to: string;
  collections: readonly CollectionSpec[];
  /** Keys that are not kept under the data folder. */
  given: Partial<Record<KeyName, string>>;
  /** Whether the keys that are kept there go with it. */
  withKeys: boolean;
  /** Of Weft. */
  version: string;
  signal: AbortSignal;
  onProgress: OnProgress;
}

const SQLITE_FULL = 13;

/**
 * Copies the embedded store as it is at one moment, while Weft runs on it, into a folder with a manifest: the store's file with
 * its search index, and the keys. It is made under another name beside it and renamed once all of it is on the disk;
 * what others left there that were cut off is removed.
 * Errors: TransferError, those of the store, the signal's reason.
 */
export async function takeBackup(settings: BackupSettings): Promise<Manifest> {
  const to = resolve(settings.to);
  const source = join(settings.dataDir, STORE_FILE);
  if (!(await exists(source))) throw new TransferError(`There is no embedded store in ${settings.dataDir}`);
  if (await exists(to)) throw new TransferError(`${to} is there already; a backup overwrites nothing`);
  const draft = await Draft.make(`${to}.partial-`);
  try {
    const manifest = await fill(draft.folder, source, settings);
    // A folder that was made there meanwhile and holds something is not replaced either.
    await draft.publish(to);
    await flush(dirname(to));
    return manifest;
  } catch (error) {
    await draft.discard();
    if (sqliteCode(error) === SQLITE_FULL) throw new TransferError(`There is no room for it in ${dirname(to)}`);
    throw error;
  }
}

async function fill(draft: string, source: string, settings: BackupSettings): Promise<Manifest> {
  const { dataDir, collections, given, withKeys, version, signal, onProgress } = settings;
  const keysBefore = keptKeys(dataDir);
  const createdAt = new Date().toISOString();
  const copy = join(draft, STORE_FILE);
  await takeSnapshot(source, copy, (done, all) => {
    signal.throwIfAborted();
    onProgress("Copying", done, all, "bytes");
  });
  // A key may have been replaced meanwhile: documents of that moment are under one of these.
  const keys = bothKeys(keptKeys(dataDir), keysBefore);
  if (withKeys) await writeKeys(draft, keys);
  const digests = await digestFile(copy, collections, signal, onProgress);
  const names = [STORE_FILE, ...(withKeys ? keyFiles(keys) : [])] as const;
  const files: Manifest["files"] = [];
  for (const name of names) {
    const path = join(draft, name);
    await flush(path);
    files.push({ name, ...(await fileHash(path, () => signal.throwIfAborted())) });
  }
  const inUse = (name: KeyName) => keyId(given[name] ?? keys[name][0]);
  const manifest = newManifest({
    weft: version,
    createdAt,
    files,
    collections: digests,
    keys: { JWT_SECRET: inUse("JWT_SECRET"), SECRETS_KEY: inUse("SECRETS_KEY") },
  });
  await writePrivate(join(draft, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  await flush(join(draft, MANIFEST));
  await flush(draft);
  return manifest;
}

/**
 * Counts and hashes each collection of a store's file that nobody is on, once SQLite has found the file to be whole.
 * TransferError where it is not.
 */
export async function digestFile(
  file: string,
  collections: readonly CollectionSpec[],
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<Record<string, Digest>> {
  const frozen = FrozenFile.open(file);
  try {
    const damage = frozen.damage();
    if (damage !== null) throw new TransferError(`The store's file is damaged: ${damage}`);
    const all = collections.reduce((sum, { layout }) => sum + frozen.count(layout), 0);
    let done = 0;
    const digests: Record<string, Digest> = {};
    for (const { name, layout } of collections) {
      const digester = new Digester();
      for (const batch of frozen.batches(layout)) {
        for (const document of batch) digester.add(takeApart(layout, document));
        onProgress("Counting", (done += batch.length), all, "documents");
        await turn();
        signal.throwIfAborted();
      }
      digests[name] = digester.digest;
    }
    return digests;
  } finally {
    frozen.close();
  }
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
