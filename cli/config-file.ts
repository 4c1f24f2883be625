import { chmod, mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { SignedIn } from "../sdk/index.ts";
import { CommandError } from "./command.ts";

/** The stored credentials and choices for one service. */
export interface Account {
  session?: SignedIn;
  apiKey?: string;
  workspaceId?: string;
  spaceId?: string;
}

export interface Config {
  /** The service for commands that name none. */
  url?: string;
  /** Accounts by service URL. Credentials of one service are never sent to another. */
  services: Record<string, Account>;
}

const LOCK_STEP_MS = 50;
const LOCK_STEPS = 400;
/** A lock older than this belongs to a dead process. Renewing a token takes less time. */
const LOCK_STALE_MS = 60_000;

function configPath(): string {
  const { XDG_CONFIG_HOME: home = "" } = process.env;
  return join(isAbsolute(home) ? home : join(homedir(), ".config"), "weft", "config.json");
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** @throws {CommandError} when the file exists but cannot be used */
export async function readConfig(): Promise<Config> {
  const path = configPath();
  try {
    const { url, services = {} } = JSON.parse(await readFile(path, "utf8")) as Partial<Config>;
    return { ...(url !== undefined && { url }), services };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return { services: {} };
    throw new CommandError(`${path} cannot be used: ${(error as Error).message}`);
  }
}

async function write(config: Config): Promise<void> {
  const path = configPath();
  const draft = `${path}.${process.pid}`;
  // The file is written under a temporary name first, so that readers never see a part of it and other users can never
  // read it.
  await writeFile(draft, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, path);
}

async function lock(path: string): Promise<void> {
  for (let step = 0; step < LOCK_STEPS; step++) {
    try {
      return await (await open(path, "wx", 0o600)).close();
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw new CommandError(`${path} cannot be made: ${codeOf(error)}`);
    }
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > LOCK_STALE_MS) await rm(path, { force: true });
    else await sleep(LOCK_STEP_MS);
  }
  throw new CommandError(`Another weft command is using ${path}. Try again.`);
}

/** Reads, changes and writes the configuration. A lock makes processes take turns. */
export async function changeConfig<T>(change: (config: Config) => T | Promise<T>): Promise<T> {
  const path = configPath();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await lock(`${path}.lock`);
  try {
    const config = await readConfig();
    const result = await change(config);
    await write(config);
    return result;
  } finally {
    await rm(`${path}.lock`, { force: true });
  }
}

/** Changes the stored account for one service. */
export const changeAccount = (url: string, change: (account: Account) => void): Promise<void> =>
  changeConfig(config => change((config.services[url] ??= {})));
