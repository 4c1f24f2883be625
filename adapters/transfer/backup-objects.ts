import { access, mkdir, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { FolderStore } from "../files/folder-store.ts";
import { FILES_FOLDER } from "../files/open-files.ts";
import type { ObjectName, ObjectStore } from "../files/port.ts";
import { copyObject, digestObject, type ObjectDigest } from "./copy-objects.ts";
import { flush, writePrivate } from "./safe-files.ts";
import { type OnProgress, TransferError } from "./transfer.ts";

/** The file of a backup that lists its objects: a line with checksum, size and name for each. */
export const OBJECT_LIST = "files.list";

interface Steps {
  signal: AbortSignal;
  onProgress: OnProgress;
}

interface Line extends ObjectDigest {
  name: ObjectName;
}

/** The objects in a backup. */
export const objectsIn = (folder: string) => new FolderStore(join(folder, FILES_FOLDER));

/**
 * Copies objects into the draft of a backup, and lists them. Objects that were removed since the documents were copied
 * are left out. Without objects there is no list.
 * @throws the errors of `copyObject`, and the signal's reason
 */
export async function backUpObjects(
  draft: string,
  names: readonly ObjectName[],
  source: ObjectStore,
  { signal, onProgress }: Steps,
): Promise<boolean> {
  const target = objectsIn(draft);
  const lines: string[] = [];
  for (const [place, name] of names.entries()) {
    const digest = await copyObject(name, source, target, () => signal.throwIfAborted());
    if (digest) lines.push(`${digest.sha256} ${digest.bytes} ${name}\n`);
    onProgress("Copying files", place + 1, names.length, "files");
  }
  if (lines.length === 0) return false;
  await writePrivate(join(draft, OBJECT_LIST), lines.join(""));
  return true;
}

const LINE = /^([0-9a-f]{64}) (\d{1,15}) ([\w-]{1,64}\/[\w-]{1,64})$/;

/** @throws {TransferError} when the list is damaged */
async function readList(folder: string): Promise<Line[]> {
  const text = await readFile(join(folder, OBJECT_LIST), "utf8");
  return text
    .split("\n")
    .slice(0, -1)
    .map(line => {
      const [, sha256 = "", bytes = "", name = ""] = LINE.exec(line) ?? [];
      if (name === "") throw new TransferError(`The backup is damaged: ${OBJECT_LIST} has an invalid line`);
      return { sha256, bytes: Number(bytes), name: name as ObjectName };
    });
}

const damaged = ({ name }: Line) => new TransferError(`The backup is damaged: the file ${name} has changed`);

/**
 * Compares the objects of a backup with its list.
 * @throws {TransferError} when one differs; also the signal's reason
 */
export async function checkObjects(folder: string, { signal, onProgress }: Steps): Promise<void> {
  const lines = await readList(folder);
  const store = objectsIn(folder);
  for (const [place, line] of lines.entries()) {
    const found = await digestObject(store, line.name, () => signal.throwIfAborted());
    if (found?.sha256 !== line.sha256 || found.bytes !== line.bytes) throw damaged(line);
    onProgress("Checking files", place + 1, lines.length, "files");
  }
}

/**
 * Copies the objects of a backup into another store. It adds only missing objects, and may be repeated.
 * @throws {TransferError} when the backup is damaged; also the errors of the store and the signal's reason
 */
export async function restoreObjects(
  folder: string,
  target: ObjectStore,
  { signal, onProgress }: Steps,
): Promise<void> {
  const lines = await readList(folder);
  const source = objectsIn(folder);
  for (const [place, line] of lines.entries()) {
    const brought = await copyObject(line.name, source, target, () => signal.throwIfAborted());
    if (brought?.sha256 !== line.sha256) throw damaged(line);
    onProgress("Copying files", place + 1, lines.length, "files");
  }
}

/** Moves the objects of a draft into a data folder. Objects never change, so an existing one is the same. */
export async function moveObjects(draft: string, dataDir: string): Promise<void> {
  const [from, to] = [join(draft, FILES_FOLDER), join(dataDir, FILES_FOLDER)];
  const isThere = await access(to).then(
    () => true,
    () => false,
  );
  if (!isThere) return rename(from, to);
  const [source, target] = [new FolderStore(from), new FolderStore(to)];
  const folders = new Set<string>();
  for (const { name } of await readList(draft)) {
    const path = target.pathOf(name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(source.pathOf(name), path);
    folders.add(dirname(path));
  }
  for (const path of folders) await flush(path);
}
