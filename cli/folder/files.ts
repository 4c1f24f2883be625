import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Known } from "../../core/exchange/folder-plan.ts";
import { CommandError } from "../command.ts";

const WORKFLOWS = "workflows";
/** What was equal on both sides, by space. It belongs into the repository. */
const LOCK = "weft.lock.json";
const FILE = /^([a-z0-9][a-z0-9-]{0,79})\.json$/;
const MAX_FILES = 10_000;

const known = z.object({ id: z.uuid(), version: z.int().min(1), sha256: z.string() });
const lock = z.object({ version: z.literal(1), spaces: z.record(z.string(), z.record(z.string(), known)) });
type Lock = z.infer<typeof lock>;

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The same bytes for the same value, in whichever order it is pulled. */
export const textOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === "ENOENT";

function failed(path: string, error: unknown): never {
  throw new CommandError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
}

/** A reader never meets a half of the file, also when the process is killed. */
async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  await writeFile(draft, text).catch((error: unknown) => failed(path, error));
  await rename(draft, path).catch((error: unknown) => failed(path, error));
}

/** A folder with one file a workflow, `workflows/<slug>.json`. */
export class Folder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  fileOf(slug: string): string {
    return join(this.#path, WORKFLOWS, `${slug}.json`);
  }

  /** The texts of the files, by slug. @throws {CommandError} when a name is no slug */
  async read(): Promise<Map<string, string>> {
    const folder = join(this.#path, WORKFLOWS);
    const names = await readdir(folder).catch((error: unknown) => (isMissing(error) ? [] : failed(folder, error)));
    const files = names.filter(name => name.endsWith(".json")).sort();
    if (files.length > MAX_FILES) throw new CommandError(`${folder} has more than ${MAX_FILES} files.`);
    const texts = new Map<string, string>();
    for (const name of files) {
      const slug = FILE.exec(name)?.[1];
      const path = join(folder, name);
      if (slug === undefined)
        throw new CommandError(`${path}: the name of the file must be of lower-case letters, digits and dashes.`);
      texts.set(slug, await readFile(path, "utf8").catch((error: unknown) => failed(path, error)));
    }
    return texts;
  }

  async write(slug: string, text: string): Promise<void> {
    await mkdir(join(this.#path, WORKFLOWS), { recursive: true }).catch((error: unknown) => failed(this.#path, error));
    await writeWhole(this.fileOf(slug), text);
  }

  async remove(slug: string): Promise<void> {
    await rm(this.fileOf(slug), { force: true });
  }

  /** What was equal after the last pull or push of this space. */
  async known(spaceId: string): Promise<Map<string, Known>> {
    return new Map(Object.entries((await this.#lock()).spaces[spaceId] ?? {}));
  }

  async remember(spaceId: string, all: ReadonlyMap<string, Known>): Promise<void> {
    const { spaces } = await this.#lock();
    const sorted = Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
    await mkdir(this.#path, { recursive: true }).catch((error: unknown) => failed(this.#path, error));
    await writeWhole(join(this.#path, LOCK), textOf({ version: 1, spaces: { ...spaces, [spaceId]: sorted } }));
  }

  async #lock(): Promise<Lock> {
    const path = join(this.#path, LOCK);
    const text = await readFile(path, "utf8").catch((error: unknown) =>
      isMissing(error) ? null : failed(path, error),
    );
    if (text === null) return { version: 1, spaces: {} };
    try {
      return lock.parse(JSON.parse(text));
    } catch {
      throw new CommandError(`${path} is not what a pull wrote. Restore it from the repository.`);
    }
  }
}
