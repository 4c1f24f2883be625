import { mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type Hold, holdFile } from "./hold-file.ts";
import { exists } from "./safe-files.ts";
import { TransferError } from "./transfer.ts";

/** Held by the process that makes the draft. If the lock is free, the draft was interrupted. */
const LOCK = "lock";

/** A folder for incomplete data, which only its owner can read. */
export class Draft {
  readonly folder: string;
  readonly #hold: Hold;

  private constructor(folder: string, hold: Hold) {
    this.folder = folder;
    this.#hold = hold;
  }

  /**
   * Makes a draft whose path begins with `prefix`, and removes interrupted drafts.
   * @throws {TransferError} when the folder cannot be made, or another process works on a draft.
   */
  static async make(prefix: string): Promise<Draft> {
    const folder = await mkdtemp(prefix).catch((error: NodeJS.ErrnoException) => {
      throw new TransferError(`${prefix}… cannot be made (${error.code ?? error.message})`);
    });
    const hold = holdFile(join(folder, LOCK));
    if (!hold) throw new TransferError(`${folder} is in use`);
    const draft = new Draft(folder, hold);
    try {
      await removeOthers(prefix, folder);
      return draft;
    } catch (error) {
      await draft.discard();
      throw error;
    }
  }

  /**
   * Renames the draft to its final name.
   * @throws the errors of `rename`.
   */
  async publish(to: string): Promise<void> {
    await rename(this.folder, to);
    this.#hold.release();
    await rm(join(to, LOCK), { force: true });
  }

  async discard(): Promise<void> {
    this.#hold.release();
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function removeOthers(prefix: string, own: string): Promise<void> {
  const [parent, begin] = [dirname(prefix), basename(prefix)];
  for (const name of await readdir(parent)) {
    const folder = join(parent, name);
    const lock = join(folder, LOCK);
    if (!name.startsWith(begin) || folder === own || !(await exists(lock))) continue;
    const hold = holdFile(lock);
    if (!hold) throw new TransferError(`Another command works on ${folder}`);
    hold.release();
    await rm(folder, { recursive: true, force: true });
  }
}
