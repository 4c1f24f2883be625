import { join, resolve } from "node:path";
import { SharedValues } from "../shared-values.ts";
import { FileVault } from "./file-vault.ts";
import { FolderStore } from "./folder-store.ts";
import type { ObjectStore } from "./port.ts";

export interface FileSettings {
  /** `s3://…`: see `readS3Address`. */
  filesUrl?: string | undefined;
  /** If `filesUrl` is absent, files are in GridFS of this database. */
  mongodbUri?: string | undefined;
  /** If both are absent, files are in the folder `files` in here. */
  dataDir: string;
}

export const FILES_FOLDER = "files";

/**
 * Opens the store of files. Each kind loads only its own library.
 * @throws {FileError} files_unavailable when MongoDB does not answer.
 * @throws {TypeError} when `filesUrl` is not valid.
 */
export async function openObjects({ filesUrl, mongodbUri, dataDir }: FileSettings): Promise<ObjectStore> {
  if (filesUrl) return new (await import("./s3-store.ts")).S3Store(filesUrl);
  if (mongodbUri) return (await import("./gridfs-store.ts")).GridFsStore.open(mongodbUri);
  return new FolderStore(join(resolve(dataDir), FILES_FOLDER));
}

const shared = new SharedValues<FileVault>(vault => vault.objects.close());

/** Acquires this process's shared store of files. The last `release` closes it. */
export async function acquireFiles(settings: FileSettings): Promise<{ vault: FileVault; release(): Promise<void> }> {
  const key = settings.filesUrl ?? settings.mongodbUri ?? resolve(settings.dataDir);
  const { value, release } = await shared.acquire(key, async () => new FileVault(await openObjects(settings)));
  return { vault: value, release };
}
