import { dirname, join, resolve } from "node:path";
import { Digester, type Digest, splitDocument } from "../store/digest.ts";
import type { ObjectName, ObjectStore } from "../files/port.ts";
import type { CollectionSpec } from "../store/port.ts";
import { sqliteCode } from "../store/sqlite/connection.ts";
import { FrozenFile } from "../store/sqlite/frozen-file.ts";
import { takeSnapshot } from "../store/sqlite/take-snapshot.ts";
import { Draft } from "./draft.ts";
import { backUpObjects, OBJECT_LIST } from "./backup-objects.ts";
import { objectNames } from "./copy-objects.ts";
import { noteBackup } from "./last-backup.ts";
import { TransferError, type OnProgress } from "./transfer.ts";
import { mergeKeys, keptKeys, keyFiles, type KeyName, keyId, writeKeys } from "./keys.ts";
import { MANIFEST, type Manifest, newManifest, STORE_FILE } from "./manifest.ts";
import { exists, fileHash, flush, writePrivate } from "./safe-files.ts";

export interface BackupSettings {
  dataDir: string;
  /** A folder that does not exist yet. */
  to: string;
  collections: readonly CollectionSpec[];
  /** Configured keys, which are not stored in the data folder. */
  given: Partial<Record<KeyName, string>>;
  /** Whether to include the keys that are stored in the data folder. */
  withKeys: boolean;
  /** Opens the store of files. With null, the bytes of files are left out. */
  openFiles: (() => Promise<ObjectStore>) | null;
  /** The version of Weft. */
  version: string;
  signal: AbortSignal;
  onProgress: OnProgress;
}

const SQLITE_FULL = 13;

/**
 * Copies the state of the embedded store at one moment, while Weft runs on it, into a folder with a manifest: the
 * store's file with its search index, the keys, and the bytes of files. The folder has a temporary name in the same
 * place, and is renamed when it is complete on the disk. Interrupted backups in the same place are removed.
 * @throws {TransferError} when the backup cannot be made; also the errors of the store and the signal's reason.
 */
export async function takeBackup(settings: BackupSettings): Promise<Manifest> {
  const to = resolve(settings.to);
  const source = join(settings.dataDir, STORE_FILE);
  if (!(await exists(source))) throw new TransferError(`There is no embedded store in ${settings.dataDir}`);
  if (await exists(to)) throw new TransferError(`${to} already exists; a backup overwrites nothing`);
  const draft = await Draft.make(`${to}.partial-`);
  try {
    const manifest = await fill(draft.folder, source, settings);
    // This fails if a folder with content has been created there meanwhile, so nothing is replaced.
    await draft.publish(to);
    await flush(dirname(to));
    await noteBackup(settings.dataDir, manifest.createdAt);
    return manifest;
  } catch (error) {
    await draft.discard();
    if (sqliteCode(error) === SQLITE_FULL) throw new TransferError(`There is not enough space in ${dirname(to)}`);
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
  // A key may have been replaced during the copy. The documents are sealed with one of these keys.
  const keys = mergeKeys(keptKeys(dataDir), keysBefore);
  if (withKeys) await writeKeys(draft, keys);
  const digests = await digestFile(copy, collections, signal, onProgress);
  const hasObjects = await copyFiles(draft, copy, settings);
  const names = [
    STORE_FILE,
    ...(hasObjects ? ([OBJECT_LIST] as const) : []),
    ...(withKeys ? keyFiles(keys) : []),
  ] as const;
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

/** Copies the bytes of the files that the copied documents name. Returns whether there are any. */
async function copyFiles(draft: string, copy: string, settings: BackupSettings): Promise<boolean> {
  const { collections, openFiles, signal, onProgress } = settings;
  if (!openFiles) return false;
  const frozen = FrozenFile.open(copy);
  let names: ObjectName[];
  try {
    names = [...objectNames(frozen, collections)];
  } finally {
    frozen.close();
  }
  if (names.length === 0) return false;
  const source = await openFiles();
  try {
    return await backUpObjects(draft, names, source, { signal, onProgress });
  } finally {
    await source.close();
  }
}

/**
 * Counts and hashes each collection of a store's file that no process uses, after SQLite has checked the file.
 * @throws {TransferError} when the file is damaged.
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
        for (const document of batch) digester.add(splitDocument(layout, document));
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
