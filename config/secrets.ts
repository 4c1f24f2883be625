import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "./error.ts";

export const MIN_SECRET_LENGTH = 32;
const SECRET_BYTES = 32;

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** Does it, unless another process has done it already. */
function unlessDone(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

function create(dataDir: string, file: string): void {
  // Not recursive: a misspelt path should not grow folders, and Node never returns from a recursive one below /proc.
  unlessDone(() => mkdirSync(dataDir, { mode: 0o700 }));
  const draft = `${file}.${process.pid}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(draft, randomBytes(SECRET_BYTES).toString("base64url"), { mode: 0o600, flag: "wx", flush: true });
    // A link, unlike a rename, fails where the name is taken; and unlike a write it never shows half a secret.
    unlessDone(() => linkSync(draft, file));
  } finally {
    rmSync(draft, { force: true });
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * The secret kept under this name in the data folder, made on first use (256 bits, base64url, readable by its owner only).
 * Processes that start together on one folder get the same one.
 * @throws ConfigError when the folder cannot keep it, or the file holds no secret
 */
export function keptSecret(dataDir: string, name: string): string {
  const file = join(dataDir, name);
  let secret: string | undefined;
  try {
    secret = read(file);
    if (secret === undefined) {
      create(dataDir, file);
      secret = read(file);
    }
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR: cannot keep ${file} (${codeOf(error) ?? "unknown error"}), expected a writable folder`,
    );
  }
  if (!secret || secret.length < MIN_SECRET_LENGTH) {
    throw new ConfigError(`DATA_DIR: ${file} holds no secret, expected at least ${MIN_SECRET_LENGTH} characters`);
  }
  return secret;
}
