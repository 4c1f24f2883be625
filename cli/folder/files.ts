import { constants } from "node:fs";
import { randomUUID } from "node:crypto";
import { lstat, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { FILE_KINDS, type Kind } from "../../core/exchange/space-files.ts";
import { isSlug } from "../../core/slug.ts";
import { CommandError } from "../command.ts";

/** The variables are in one file. All other objects have one file each in the folder of their kind. */
const VARIABLES = "variables";
const ENDING = ".json";
const MAX_FILES = 10_000;
/** A definition has at most 512 KiB, but line breaks and indentation make its file longer. */
const MAX_BYTES = 8 * 1_048_576;

const errorCode = (error: unknown) => (error as NodeJS.ErrnoException).code;

export function throwFileError(path: string, error: unknown): never {
  throw new CommandError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
}

/**
 * The key of a file: its path without the extension.
 * @throws {CommandError} when the service returned an invalid slug
 */
export function keyOf(kind: Kind, slug: string): string {
  if (kind === VARIABLES) return VARIABLES;
  // A malicious service must not be able to choose paths outside of the folder.
  if (!isSlug(slug)) throw new CommandError(`The service names ${JSON.stringify(slug)}, which is not a slug.`);
  return `${kind}/${slug}`;
}

export const kindOf = (key: string): Kind => key.split("/")[0] as Kind;
export const slugIn = (key: string): string => key.slice(key.indexOf("/") + 1);

/** The content of a regular file of limited size; null if it is missing. Links are not followed. */
export async function readPlain(path: string): Promise<string | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: unknown) => {
      if (errorCode(error) === "ENOENT") return null;
      if (errorCode(error) === "ELOOP") throw new CommandError(`${path} is a symbolic link, which is not followed.`);
      return throwFileError(path, error);
    },
  );
  if (!file) return null;
  try {
    const about = await file.stat();
    if (!about.isFile()) throw new CommandError(`${path} is not a regular file.`);
    if (about.size > MAX_BYTES) throw new CommandError(`${path} is larger than ${MAX_BYTES} bytes.`);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

/** Writes a file so that readers never see a part of it, even if the process is killed. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  await writeFile(draft, text, { flag: "wx" }).catch((error: unknown) => throwFileError(path, error));
  await rename(draft, path).catch((error: unknown) => throwFileError(path, error));
}

/**
 * The files of a space: `workflows/<slug>.json` and similar ones, and `variables.json`. A key is a path without the
 * extension.
 */
export class Folder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  fileOf(key: string): string {
    return join(this.path, `${key}${ENDING}`);
  }

  /** @throws {CommandError} when there is no such folder */
  async demand(): Promise<void> {
    const about = await stat(this.path).catch((error: unknown) => throwFileError(this.path, error));
    if (!about.isDirectory()) throw new CommandError(`${this.path} is not a folder.`);
  }

  /**
   * The texts of the files, by key.
   * @throws {CommandError} when a file cannot come from a pull
   */
  async read(): Promise<Map<string, string>> {
    const texts = new Map<string, string>();
    for (const kind of FILE_KINDS) {
      for (const key of kind === VARIABLES ? [VARIABLES] : await this.#keysOf(kind)) {
        const text = await readPlain(this.fileOf(key));
        if (text !== null) texts.set(key, text);
      }
    }
    return texts;
  }

  async #keysOf(kind: Kind): Promise<string[]> {
    const folder = join(this.path, kind);
    if (!(await this.#isFolder(folder))) return [];
    const names = await readdir(folder).catch((error: unknown) => throwFileError(folder, error));
    const files = names.filter(name => name.endsWith(ENDING)).sort();
    if (files.length > MAX_FILES) throw new CommandError(`${folder} has more than ${MAX_FILES} files.`);
    return files.map(name => {
      const slug = name.slice(0, -ENDING.length);
      if (isSlug(slug)) return `${kind}/${slug}`;
      const expected = "lower-case letters and digits, with single dashes between them";
      throw new CommandError(`${join(folder, name)}: the name of the file must be ${expected}.`);
    });
  }

  /**
   * Whether there is a folder.
   * @throws {CommandError} when it is a link, or not a folder
   */
  async #isFolder(path: string): Promise<boolean> {
    const about = await lstat(path).catch((error: unknown) =>
      errorCode(error) === "ENOENT" ? null : throwFileError(path, error),
    );
    if (about && !about.isDirectory()) throw new CommandError(`${path} is not a folder. Links are not followed.`);
    return about !== null;
  }

  async write(key: string, text: string): Promise<void> {
    const path = this.fileOf(key);
    const folder = dirname(path);
    // The folder itself is the user's choice and may be a link. Its content comes from the repository and must not
    // contain links.
    if (key !== VARIABLES) await this.#isFolder(folder);
    await mkdir(folder, { recursive: true }).catch((error: unknown) => throwFileError(folder, error));
    await writeWhole(path, text);
  }

  async remove(key: string): Promise<void> {
    await rm(this.fileOf(key), { force: true });
  }
}
