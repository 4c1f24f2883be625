import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { ConfigError } from "./values.ts";

export const MIN_SECRET_LENGTH = 32;
const SECRET_BYTES = 32;

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** 256 bits, base64url. */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url");

/** Runs `make`. Ignores its failure if another process has already made the file. */
function unlessDone(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

const DRAFT = /^\.\d+\.[0-9a-f]{12}$/;

/** Makes the entries of a folder survive a power cut. */
function flushFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Writes a draft with these lines that only its owner can read. `publish` then puts it in place, completely or not at
 * all, and durably.
 */
function write(file: string, lines: readonly string[], publish: (draft: string) => void): void {
  const draft = `${file}.${process.pid}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(draft, lines.join("\n"), { mode: 0o600, flag: "wx", flush: true });
    publish(draft);
    flushFolder(dirname(file));
  } finally {
    rmSync(draft, { force: true });
  }
}

function create(dataDir: string, file: string): void {
  // Not recursive, because a misspelt path should not create folders, and Node hangs on a recursive one below /proc.
  unlessDone(() => mkdirSync(dataDir, { mode: 0o700 }));
  // Unlike a rename, a link fails if the name is taken. Unlike a write, it never exposes half a secret.
  write(file, [newSecret()], draft => unlessDone(() => linkSync(draft, file)));
}

function read(file: string): string[] | undefined {
  try {
    return readFileSync(file, "utf8")
      .trim()
      .split(/\s*\n\s*/);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * The secrets with this name in the data folder, one per line. The file is created on first use, readable only by its
 * owner. There is one secret, except during a replacement, when the new one comes first. Processes that start together
 * on one folder get the same secret.
 * @throws {ConfigError} when the folder cannot store it, or the file contains no secret.
 */
export function keptSecrets(dataDir: string, name: string): string[] {
  const file = join(dataDir, name);
  let secrets: string[] | undefined;
  try {
    secrets = read(file);
    if (secrets === undefined) {
      create(dataDir, file);
      secrets = read(file);
    }
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR: cannot keep ${file} (${codeOf(error) ?? "unknown error"}), expected a writable folder`,
    );
  }
  if (!secrets || secrets.some(secret => secret.length < MIN_SECRET_LENGTH)) {
    throw new ConfigError(`DATA_DIR: ${file} holds no secret, expected at least ${MIN_SECRET_LENGTH} characters`);
  }
  return secrets;
}

/**
 * Replaces the content of the file of `keptSecrets`. A concurrent reader gets the complete old or new content. Only one
 * process may do so at a time, because it removes the drafts of killed processes, which may contain a secret.
 */
export function replaceKeptSecrets(dataDir: string, name: string, secrets: readonly string[]): void {
  const file = join(dataDir, name);
  for (const other of readdirSync(dataDir))
    if (other.startsWith(name) && DRAFT.test(other.slice(name.length))) rmSync(join(dataDir, other), { force: true });
  write(file, secrets, draft => renameSync(draft, file));
}

/** A text that changes when the stored secrets change. */
export function keptSecretsVersion(dataDir: string, name: string): string {
  const { ino, mtimeNs, size } = statSync(join(dataDir, name), { bigint: true });
  return `${ino} ${mtimeNs} ${size}`;
}
