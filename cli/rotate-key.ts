import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { SealedField } from "../adapters/secrets/reseal.ts";
import { type Hold, holdFile } from "../adapters/transfer/hold-file.ts";
import type { OnProgress } from "../adapters/transfer/transfer.ts";
import { CommandError } from "./command.ts";
import type { Opened } from "./store.ts";

const FILE = "rotation.lock";

/**
 * Lets one rotation run at a time.
 * @throws {CommandError} when another rotation holds the lock
 */
export function lockRotation(dataDir: string): Hold {
  const hold = holdFile(join(dataDir, FILE));
  if (!hold) throw new CommandError(`Another rotation is in progress on ${dataDir}.`);
  return hold;
}

/**
 * The first round reseals the existing texts. Later rounds reseal texts that processes sealed meanwhile because they
 * did not know the new key yet.
 */
const ROUNDS = 10;

export interface RotateOptions {
  /** All fields that contain sealed texts. */
  fields: readonly SealedField[];
  dropLost: boolean;
  /**
   * How long a running process may take from sealing a text to storing it, in milliseconds. After this time, the store
   * contains every text that the process sealed before it saw the new key.
   */
  settleMs: number;
  signal: AbortSignal;
  onProgress: OnProgress;
}

export interface Rotated {
  keyId: string;
  resealed: number;
  /** The number of texts that no known key can open. */
  lost: number;
  /** The names of the first such texts. */
  named: readonly string[];
}

/**
 * Seals all texts with the first key, until none is sealed with another.
 * @throws {CommandError} when other processes continue to seal with a previous key; errors of `reseal` pass through
 */
export async function resealAll(
  { store, keyring }: Opened,
  { fields, dropLost, settleMs, signal, onProgress }: RotateOptions,
): Promise<Rotated> {
  const { reseal } = await import("../adapters/secrets/reseal.ts");
  const onPage = (name: string, seen: number, all: number) => onProgress(`Sealing ${name}`, seen, all, "documents");
  let { resealed, lost, named } = await reseal(store, fields, keyring, { signal, dropLost, onPage });
  await sleep(settleMs, undefined, { signal });
  for (let round = 0; round < ROUNDS; round++) {
    const done = await reseal(store, fields, keyring, { signal, dropLost });
    resealed += done.resealed;
    // Later rounds do not count removed texts again, but they do count texts that were kept.
    lost = dropLost ? lost + done.lost : done.lost;
    named = dropLost ? [...named, ...done.named] : done.named;
    if (done.resealed === 0) return { keyId: keyring.first.id, resealed, lost, named };
  }
  throw new CommandError(
    "A process still encrypts with a former key. Stop every process that does not know the new key, then run this command again.",
  );
}

/**
 * Checks the key for hashing API keys, which is sealed too. Without it, no API key can be verified.
 * @throws {CommandError} when no known key opens it and `dropLost` is false
 */
export async function openHashKey({ store, keyring }: Opened, dropLost: boolean): Promise<void> {
  const { hashKey, forgetHashKey } = await import("../adapters/secrets/hash-key.ts");
  try {
    await hashKey(store, keyring);
  } catch (error) {
    if ((error as Error).name !== "UnknownKeyError") throw error;
    if (!dropLost) {
      throw new CommandError(
        `${(error as Error).message}.\nAdd that key to SECRETS_KEYS_OLD. If it is lost: weft secrets rotate --drop-lost removes\n` +
          "what it sealed, and with it all API keys, open invites and secrets of webhooks.",
      );
    }
    await forgetHashKey(store);
    await hashKey(store, keyring);
  }
}

/**
 * Adds a new key before the current one in the data folder's file, where running processes find it. Then seals all
 * texts with the new key, and only then drops the old key. After an interruption the file contains both keys, and the
 * next run continues with them.
 */
export async function rotateKeptKey(opened: Opened, options: RotateOptions): Promise<Rotated> {
  const { dataDir, keyring } = opened;
  const [{ keptSecrets, newSecret, replaceKeptSecrets }, { SECRETS_KEY_FILE }] = await Promise.all([
    import("../config/secrets.ts"),
    import("../config.ts"),
  ]);
  const lock = lockRotation(dataDir);
  try {
    await openHashKey(opened, options.dropLost);
    const kept = keptSecrets(dataDir, SECRETS_KEY_FILE);
    if (kept.length === 1) replaceKeptSecrets(dataDir, SECRETS_KEY_FILE, [newSecret(), ...kept]);
    const rotated = await resealAll(opened, options);
    replaceKeptSecrets(dataDir, SECRETS_KEY_FILE, [keyring.first.secret]);
    return rotated;
  } finally {
    lock.release();
  }
}
