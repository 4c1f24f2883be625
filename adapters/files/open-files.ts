import { join, resolve } from "node:path";
import { FileVault } from "./file-vault.ts";
import { FolderStore } from "./folder-store.ts";
import type { ObjectStore } from "./port.ts";

export interface FileSettings {
  /** `s3://…`: see `readS3Address`. */
  filesUrl?: string | undefined;
  /** Without `filesUrl`, files are in GridFS of this database. */
  mongodbUri?: string | undefined;
  /** Without both, files are in the folder `files` here. */
  dataDir: string;
}

export const FILES_FOLDER = "files";

/**
 * Opens the store of files. Each kind loads its own library only.
 * @throws {FileError} files_unavailable when MongoDB does not answer.
 * @throws {TypeError} when `filesUrl` is not valid.
 */
export async function openObjects({ filesUrl, mongodbUri, dataDir }: FileSettings): Promise<ObjectStore> {
  if (filesUrl) return new (await import("./s3-store.ts")).S3Store(filesUrl);
  if (mongodbUri) return (await import("./gridfs-store.ts")).GridFsStore.open(mongodbUri);
  return new FolderStore(join(resolve(dataDir), FILES_FOLDER));
}

const shared = new Map<string, { vault: Promise<FileVault>; holders: number }>();

/** Acquires the store of files that this process shares. The last `release` closes it. */
export async function acquireFiles(settings: FileSettings): Promise<{ vault: FileVault; release(): Promise<void> }> {
  const key = settings.filesUrl ?? settings.mongodbUri ?? resolve(settings.dataDir);
  let entry = shared.get(key);
  if (!entry) {
    const vault = openObjects(settings).then(objects => new FileVault(objects));
    shared.set(key, (entry = { vault, holders: 0 }));
  }
  const held = entry;
  held.holders++;
  let released = false;
  const release = async (): Promise<void> => {
    if (released) return;
    released = true;
    if (--held.holders > 0) return;
    shared.delete(key);
    await (await held.vault).objects.close();
  };
  try {
    return { vault: await held.vault, release };
  } catch (error) {
    await release().catch(() => undefined);
    throw error;
  }
}
