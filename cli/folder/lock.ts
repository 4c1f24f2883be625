import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { KnownState } from "../../core/exchange/folder-plan.ts";
import { CommandError } from "../command.ts";
import { readPlain, throwFileError, writeWhole } from "./files.ts";

/** Records what was equal on both sides after the last pull or push, by space. The file belongs in the repository. */
const LOCK = "weft.lock.json";

const known = z.object({ id: z.string().max(100), sha256: z.string().max(100) });
const lock = z.object({
  /** Version 1 contained only workflows, by slug. */
  version: z.union([z.literal(1), z.literal(2)]),
  spaces: z.record(z.uuid(), z.record(z.string().max(200), known)),
});
type Lock = z.infer<typeof lock>;

export class LockFile {
  readonly #folder: string;
  readonly #path: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#path = join(folder, LOCK);
  }

  /** The objects that were equal, by the keys of the files. */
  async known(spaceId: string): Promise<Map<string, KnownState>> {
    return new Map(Object.entries((await this.#read()).spaces[spaceId] ?? {}));
  }

  async remember(spaceId: string, all: ReadonlyMap<string, KnownState>): Promise<void> {
    const { spaces } = await this.#read();
    const sorted = Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
    await mkdir(this.#folder, { recursive: true }).catch((error: unknown) => throwFileError(this.#folder, error));
    const next: Lock = { version: 2, spaces: { ...spaces, [spaceId]: sorted } };
    await writeWhole(this.#path, `${JSON.stringify(next, null, 2)}\n`);
  }

  async #read(): Promise<Lock> {
    const text = await readPlain(this.#path);
    if (text === null) return { version: 2, spaces: {} };
    try {
      const { version, spaces } = lock.parse(JSON.parse(text));
      if (version === 2) return { version, spaces };
      const renamed = Object.entries(spaces).map(([id, all]) => [
        id,
        Object.fromEntries(Object.entries(all).map(([slug, one]) => [`workflows/${slug}`, one])),
      ]);
      return { version: 2, spaces: Object.fromEntries(renamed) as Lock["spaces"] };
    } catch {
      throw new CommandError(`${this.#path} is not what a pull wrote. Restore it from the repository.`);
    }
  }
}
