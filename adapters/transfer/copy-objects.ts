import { createHash } from "node:crypto";
import { type Bytes, FileError, type ObjectName, type ObjectStore } from "../files/port.ts";
import type { CollectionSpec } from "../store/port.ts";
import type { FrozenFile } from "../store/sqlite/frozen-file.ts";
import { type OnProgress, TransferError } from "./transfer.ts";

/** The bytes of an object as they are stored: sealed. */
export interface ObjectDigest {
  bytes: number;
  sha256: string;
}

const FILES = "files";
/** The states of a file whose bytes are stored as a whole. */
const WITH_BYTES = new Set<unknown>(["stored", "uploaded"]);

/** The objects that a store's documents name. */
export function* objectNames(source: FrozenFile, collections: readonly CollectionSpec[]): Generator<ObjectName> {
  const files = collections.find(({ name }) => name === FILES);
  if (!files) return;
  for (const batch of source.batches(files.layout))
    for (const { id, workspaceId, state } of batch)
      if (WITH_BYTES.has(state)) yield `${String(workspaceId)}/${String(id)}`;
}

const isMissing = (error: unknown) => error instanceof FileError && error.code === "file_missing";

function digester(onBytes: (count: number) => void) {
  const hash = createHash("sha256");
  let bytes = 0;
  return {
    see: async function* (this: void, chunks: Bytes) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        onBytes(chunk.length);
        yield chunk;
      }
    },
    digest: (): ObjectDigest => ({ bytes, sha256: hash.digest("hex") }),
  };
}

async function drain(chunks: AsyncGenerator<unknown>): Promise<void> {
  while (!(await chunks.next()).done);
}

/** Reads an object; null if it does not exist. An error of `onBytes` ends the reading. */
export async function digestObject(
  store: ObjectStore,
  name: ObjectName,
  onBytes: (count: number) => void = () => undefined,
): Promise<ObjectDigest | null> {
  const { see, digest } = digester(onBytes);
  try {
    await drain(see(store.get(name)));
    return digest();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

const isSame = (a: ObjectDigest | null, b: ObjectDigest | null) => a?.sha256 === b?.sha256 && a?.bytes === b?.bytes;

/**
 * Copies an object, unless the target already has it. Null if neither side has it. The remains of an interrupted copy
 * are replaced.
 * @throws {FileError} files_unavailable; also an error of `onBytes`
 */
export async function copyObject(
  name: ObjectName,
  source: ObjectStore,
  target: ObjectStore,
  onBytes: (count: number) => void,
): Promise<ObjectDigest | null> {
  const there = await digestObject(target, name);
  if (there) {
    const here = await digestObject(source, name, onBytes);
    if (!here || isSame(here, there)) return there;
  }
  const { see, digest } = digester(onBytes);
  try {
    await target.remove(name);
    await target.put(name, see(source.get(name)));
    return digest();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

export interface CopyObjects {
  names: Iterable<ObjectName>;
  source: ObjectStore;
  target: ObjectStore;
  signal: AbortSignal;
  onProgress: OnProgress;
}

/**
 * Copies objects, reads each one again at the target, and compares. It may be interrupted and repeated.
 * @throws {TransferError} when a copy differs; also the errors of `copyObject` and the signal's reason
 */
export async function copyObjects({ names, source, target, signal, onProgress }: CopyObjects) {
  const all = [...names];
  let copied = 0;
  let missing = 0;
  for (const name of all) {
    const digest = await copyObject(name, source, target, () => signal.throwIfAborted());
    if (!digest) missing++;
    else if (!isSame(digest, await digestObject(target, name, () => signal.throwIfAborted())))
      throw new TransferError(`The copy of the file ${name} differs. Run the command again.`);
    onProgress("Copying files", ++copied, all.length, "files");
  }
  return { copied: copied - missing, missing };
}
