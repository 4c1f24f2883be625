import { mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type ByteRange,
  type Bytes,
  checkName,
  FileError,
  fileMissing,
  type ObjectName,
  type ObjectStore,
} from "./port.ts";

const READ_BYTES = 256 * 1024;
/** The folder of unfinished objects. It is in the same file system, so a rename publishes them. */
const INCOMING = ".incoming";

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException | null)?.code;

function translated(error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof FileError || code === undefined || !/^E[A-Z]+$/.test(code)) return error;
  if (code === "ENOENT") return fileMissing();
  return new FileError("files_unavailable", `The folder of files cannot be used (${code})`, { cause: error });
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder. Its file system journals renames itself.
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Objects as files of a folder, which all processes of an installation share. */
export class FolderStore implements ObjectStore {
  readonly kind = "folder";
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /**
   * The path of an object. The last two characters of an id are random, so the objects of a workspace spread evenly.
   */
  pathOf(name: ObjectName): string {
    checkName(name);
    const [workspace = "", id = ""] = name.split("/");
    return join(this.#root, workspace, id.slice(-2), id);
  }

  #incomingOf(name: ObjectName): string {
    checkName(name);
    return join(this.#root, INCOMING, name.replace("/", "."));
  }

  async put(name: ObjectName, bytes: Bytes, signal?: AbortSignal): Promise<void> {
    const path = this.pathOf(name);
    const incoming = this.#incomingOf(name);
    try {
      await mkdir(dirname(incoming), { recursive: true, mode: 0o700 });
      const file = await open(incoming, "wx", 0o600);
      try {
        for await (const chunk of bytes) {
          signal?.throwIfAborted();
          await file.writeFile(chunk);
        }
        await file.sync();
      } finally {
        await file.close();
      }
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(incoming, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await rm(incoming, { force: true }).catch(() => undefined);
      throw translated(error);
    }
  }

  async *get(name: ObjectName, range?: ByteRange, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    if (range && range.to <= range.from) return;
    try {
      const file = await open(this.pathOf(name));
      try {
        // One buffer for the whole object: see `inBlocks`.
        const end = range?.to ?? Infinity;
        const buffer = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, end - (range?.from ?? 0)));
        for (let at = range?.from ?? 0; at < end;) {
          signal?.throwIfAborted();
          const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end - at), range ? at : null);
          if (bytesRead === 0) return;
          at += bytesRead;
          yield buffer.subarray(0, bytesRead);
        }
      } finally {
        await file.close();
      }
    } catch (error) {
      throw translated(error);
    }
  }

  async remove(name: ObjectName): Promise<void> {
    try {
      await rm(this.#incomingOf(name), { force: true });
      await rm(this.pathOf(name), { force: true });
    } catch (error) {
      throw translated(error);
    }
  }

  async ping(): Promise<void> {
    const probe = join(this.#root, INCOMING, `probe.${process.pid}`);
    try {
      await mkdir(dirname(probe), { recursive: true, mode: 0o700 });
      await writeFile(probe, "weft", { mode: 0o600 });
      await rm(probe, { force: true });
    } catch (error) {
      throw translated(error);
    }
  }

  async close(): Promise<void> {
    // Every call closes the files that it opens.
  }
}
