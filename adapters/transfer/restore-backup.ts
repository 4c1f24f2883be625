import { constants } from "node:fs";
import { copyFile, link, mkdir, rename } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { StoreUnavailableError } from "../store/errors.ts";
import { checkpointLog, openExclusively } from "../store/sqlite/open-exclusively.ts";
import type { ObjectStore } from "../files/port.ts";
import { restoreObjects, checkObjects, OBJECT_LIST, objectsIn, moveObjects } from "./backup-objects.ts";
import { Draft } from "./draft.ts";
import { TransferError, type OnProgress } from "./transfer.ts";
import { type Manifest, readManifest, STORE_FILE } from "./manifest.ts";
import { contentsOf, copyPrivate, exists, fileHash, flush } from "./safe-files.ts";

export interface RestoreSettings {
  /** The folder that `takeBackup` made. */
  from: string;
  dataDir: string;
  /** Whether a data folder that is not empty may be replaced. */
  force: boolean;
  /** Opens the store of files, if it is not the data folder. */
  openFiles?: (() => Promise<ObjectStore>) | undefined;
  /** The version of this Weft. */
  version: string;
  signal: AbortSignal;
  onProgress: OnProgress;
}

/** The other files that may belong to a store's file. */
const LOGS = [`${STORE_FILE}-wal`, `${STORE_FILE}-shm`, `${STORE_FILE}-journal`];

const DRAFT = "restoring-";

/**
 * Compares a backup with its checksums.
 * @throws {TransferError} when the backup is damaged; also the signal's reason.
 */
export async function checkBackup({
  from,
  signal,
  onProgress,
}: Omit<RestoreSettings, "dataDir" | "force" | "version" | "openFiles">) {
  const manifest = await readManifest(from);
  await compare(from, manifest, signal, onProgress);
  if (hasObjects(manifest)) await checkObjects(from, { signal, onProgress });
  return manifest;
}

/**
 * Restores a data folder to the state of the backup. Its former content is kept in a folder inside it, whose name is
 * returned; null if it was empty. Nothing changes before the whole backup is copied, compared with its checksums and
 * safely on the disk. The store's file is replaced last, in one step. So an interrupted restore leaves either the
 * former or the restored store, and may be repeated. It replaces nothing that appears in the folder meanwhile.
 * @throws {TransferError} when the restore is refused, or the backup is damaged; also the signal's reason.
 * @throws {FileInUseError} when another process uses the store.
 */
export async function restoreBackup(settings: RestoreSettings): Promise<{ manifest: Manifest; former: string | null }> {
  const { from, force, signal, onProgress } = settings;
  const dataDir = resolve(settings.dataDir);
  const manifest = await readManifest(from);
  refuseNewer(manifest, settings.version);
  const file = join(dataDir, STORE_FILE);
  const held = (await exists(file)) ? hold(file) : null;
  try {
    const before = (await contentsOf(dataDir)).filter(name => !name.startsWith(DRAFT));
    if (before.length > 0 && !force)
      throw new TransferError(`${dataDir} is not empty; --force keeps what is replaced in a folder inside of it`);
    await mkdir(dataDir, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    const draft = await Draft.make(join(dataDir, DRAFT));
    try {
      await bring(draft.folder, manifest, settings);
      await compare(draft.folder, manifest, signal, onProgress);
      if (hasObjects(manifest)) await bringFiles(draft.folder, settings);
      if (held) checkpointLog(held);
      else if (!before.includes(STORE_FILE) && (await exists(file))) throw cameMeanwhile(file);
      const former = before.length > 0 ? await setAside(dataDir, manifest) : null;
      // The keys come first, because there is no store before the store's file exists.
      if (hasObjects(manifest) && !settings.openFiles) await moveObjects(draft.folder, dataDir);
      const names = placed(manifest).sort((a, b) => Number(a === STORE_FILE) - Number(b === STORE_FILE));
      for (const name of names)
        await (before.includes(name) ? rename : place)(join(draft.folder, name), join(dataDir, name));
      await flush(dataDir);
      await flush(dirname(dataDir));
      return { manifest, former };
    } finally {
      await draft.discard();
    }
  } finally {
    held?.close();
  }
}

const hasObjects = ({ files }: Manifest): boolean => files.some(({ name }) => name === OBJECT_LIST);

/** The names of the files that are placed in a data folder. */
const placed = ({ files }: Manifest) => files.map(({ name }) => name).filter(name => name !== OBJECT_LIST);

/** Copies the bytes of files to their store, or next to the draft of the data folder. */
async function bringFiles(draft: string, { from, openFiles, signal, onProgress }: RestoreSettings): Promise<void> {
  const store = openFiles ? await openFiles() : objectsIn(draft);
  try {
    await restoreObjects(from, store, { signal, onProgress });
  } finally {
    await store.close();
  }
}

/** Refuses a newer backup, because it may contain data that this version does not know. */
function refuseNewer({ weft }: Manifest, version: string): void {
  const [theirs = "", ours = ""] = [weft, version].map(text => text.replace(/-.*/, ""));
  if (theirs.localeCompare(ours, "en", { numeric: true }) > 0)
    throw new TransferError(
      `The backup was made by Weft ${weft}, and this is ${version}: restore it with that version`,
    );
}

const cameMeanwhile = (file: string) => new TransferError(`${file} was created meanwhile: is Weft running on it?`);

/** Places a new file. Unlike a rename, a link fails if another process has created the file meanwhile. */
const place = (from: string, to: string): Promise<void> =>
  link(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") throw cameMeanwhile(to);
    // For file systems without links.
    return rename(from, to);
  });

/**
 * Locks the former store against other processes. Null if it cannot be read.
 * @throws {FileInUseError} when another process uses it.
 */
function hold(file: string): DatabaseSync | null {
  try {
    return openExclusively(file);
  } catch (error) {
    // An unreadable store may be the reason for the restore.
    if (error instanceof StoreUnavailableError) return null;
    throw error;
  }
}

async function bring(draft: string, { files }: Manifest, settings: RestoreSettings): Promise<void> {
  const { from, dataDir, signal, onProgress } = settings;
  const all = bytesOf(files);
  let before = 0;
  for (const { name, bytes } of files) {
    const copy = copyPrivate(join(from, name), join(draft, name), count => {
      signal.throwIfAborted();
      onProgress("Copying", before + count, all, "bytes");
    });
    await unlessDamaged(name, copy).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOSPC") throw new TransferError(`There is not enough space in ${dataDir}`);
      throw error;
    });
    before += bytes;
  }
  await flush(draft);
}

const bytesOf = (files: Manifest["files"]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

const unlessDamaged = <T>(name: string, work: Promise<T>): Promise<T> =>
  work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") throw new TransferError(`The backup is damaged: ${name} is missing`);
    throw error;
  });

async function compare(folder: string, { files }: Manifest, signal: AbortSignal, onProgress: OnProgress) {
  const all = bytesOf(files);
  let before = 0;
  if (!files.some(({ name }) => name === STORE_FILE)) throw new TransferError(`The backup has no ${STORE_FILE}`);
  for (const { name, bytes, sha256 } of files) {
    const hash = fileHash(join(folder, name), count => {
      signal.throwIfAborted();
      onProgress("Checking", before + count, all, "bytes");
    });
    const found = await unlessDamaged(name, hash);
    if (found.sha256 !== sha256 || found.bytes !== bytes)
      throw new TransferError(`The backup is damaged: the checksum of ${name} differs`);
    before += bytes;
  }
}

/**
 * Links the files to be replaced into their own folder. The former files stay in place until the new ones replace them.
 */
async function setAside(dataDir: string, manifest: Manifest): Promise<string> {
  const former = join(dataDir, `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`);
  await mkdir(former, { mode: 0o700 });
  for (const name of placed(manifest)) await unlessMissing(linkOrCopy(join(dataDir, name), join(former, name)));
  // A remaining log would be applied to the new file. Its readable content is already in the former file.
  for (const name of LOGS) await unlessMissing(rename(join(dataDir, name), join(former, name)));
  await flush(former);
  return former;
}

const linkOrCopy = (from: string, to: string): Promise<void> =>
  link(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") throw error;
    return copyFile(from, to, constants.COPYFILE_EXCL);
  });

const unlessMissing = (work: Promise<void>): Promise<void> =>
  work.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
