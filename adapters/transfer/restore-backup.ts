import { constants } from "node:fs";
import { chmod, copyFile, link, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { StoreUnavailableError } from "../store/errors.ts";
import { foldLog, takeAlone } from "../store/sqlite/take-alone.ts";
import { TransferError } from "./transfer-error.ts";
import { type Manifest, readManifest, STORE_FILE } from "./manifest.ts";
import type { OnProgress } from "./progress.ts";
import { contentsOf, exists, fileHash, flush } from "./safe-files.ts";

export interface RestoreSettings {
  /** The folder that `takeBackup` made. */
  from: string;
  dataDir: string;
  /** Whether a data folder that holds something may be replaced. */
  force: boolean;
  signal: AbortSignal;
  onProgress: OnProgress;
}

/** What else a store's file may be made of. */
const LOGS = [`${STORE_FILE}-wal`, `${STORE_FILE}-shm`, `${STORE_FILE}-journal`];

const DRAFT = /^restoring-\d+$/;

/** Compares a backup with its checksums. Errors: TransferError, the signal's reason. */
export async function checkBackup({ from, signal, onProgress }: Omit<RestoreSettings, "dataDir" | "force">) {
  const manifest = await readManifest(from);
  await compare(from, manifest, signal, onProgress);
  return manifest;
}

/**
 * Makes a data folder what it was when the backup was taken. What it held is kept in a folder inside of it, which is named
 * by what this gives; null where it held nothing. Nothing is touched before all of the backup is there, compared with its
 * checksums and on the disk, and the store's file takes its place last, in one step: whoever cuts this off finds the former
 * store there or the restored one, and may begin again. Errors: TransferError, FileInUseError, the signal's reason.
 */
export async function restoreBackup(settings: RestoreSettings): Promise<{ manifest: Manifest; former: string | null }> {
  const { from, force, signal, onProgress } = settings;
  const dataDir = resolve(settings.dataDir);
  const manifest = await readManifest(from);
  const file = join(dataDir, STORE_FILE);
  const held = (await exists(file)) ? hold(file) : null;
  try {
    const found = await contentsOf(dataDir);
    const before = found.filter(name => !DRAFT.test(name));
    if (before.length > 0 && !force)
      throw new TransferError(`${dataDir} is not empty; --force moves what it holds into a folder inside of it`);
    await mkdir(dataDir, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    // Of restores that were cut off.
    for (const name of found) if (DRAFT.test(name)) await rm(join(dataDir, name), { recursive: true, force: true });
    const draft = join(dataDir, `restoring-${process.pid}`);
    await mkdir(draft, { mode: 0o700 });
    try {
      await bring(from, draft, manifest);
      await compare(draft, manifest, signal, onProgress);
      if (held) foldLog(held);
      const former = before.length > 0 ? await setAside(dataDir, manifest) : null;
      // The keys first: without the store's file there is no store yet.
      const names = manifest.files
        .map(({ name }) => name)
        .sort((a, b) => Number(a === STORE_FILE) - Number(b === STORE_FILE));
      for (const name of names) await rename(join(draft, name), join(dataDir, name));
      await flush(dataDir);
      await flush(dirname(dataDir));
      return { manifest, former };
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  } finally {
    held?.close();
  }
}

/** Keeps everybody off the former store; null where it cannot be read. FileInUseError where somebody is on it. */
function hold(file: string): DatabaseSync | null {
  try {
    return takeAlone(file);
  } catch (error) {
    // That it cannot be read may be why a backup is wanted.
    if (error instanceof StoreUnavailableError) return null;
    throw error;
  }
}

async function bring(from: string, draft: string, { files }: Manifest): Promise<void> {
  for (const { name } of files) {
    const path = join(draft, name);
    await copyFile(join(from, name), path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    await chmod(path, 0o600);
    await flush(path);
  }
  await flush(draft);
}

async function compare(folder: string, { files }: Manifest, signal: AbortSignal, onProgress: OnProgress) {
  const all = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let before = 0;
  if (!files.some(({ name }) => name === STORE_FILE)) throw new TransferError(`The backup has no ${STORE_FILE}`);
  for (const { name, bytes, sha256 } of files) {
    const found = await fileHash(join(folder, name), count => {
      signal.throwIfAborted();
      onProgress("Checking", before + count, all, "bytes");
    }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") throw new TransferError(`The backup is damaged: ${name} is missing`);
      throw error;
    });
    if (found.sha256 !== sha256 || found.bytes !== bytes)
      throw new TransferError(`The backup is damaged: ${name} is not what it was (its checksum differs)`);
    before += bytes;
  }
}

/** Puts what is about to be replaced into a folder of its own, by links: until the new files come, the former are in place. */
async function setAside(dataDir: string, { files }: Manifest): Promise<string> {
  const former = join(dataDir, `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`);
  await mkdir(former, { mode: 0o700 });
  const replaced = files.map(({ name }) => name);
  for (const name of replaced) await unlessMissing(linkOrCopy(join(dataDir, name), join(former, name)));
  // A log that stayed would be taken for that of the new file. What could be read of it is in the former file already.
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
