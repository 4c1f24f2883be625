import { setTimeout as sleep } from "node:timers/promises";
import type { SealedField } from "../adapters/secrets/sealed-fields.ts";
import type { OnProgress } from "../adapters/transfer/progress.ts";
import { CommandError } from "./command.ts";
import type { Opened } from "./store.ts";

/** The first seals what there was, the others what was sealed meanwhile by who did not know the new key yet. */
const ROUNDS = 10;

export interface RotateOptions {
  /** All that are sealed. */
  fields: readonly SealedField[];
  dropLost: boolean;
  /** How long a running process may take from sealing a text to storing it, in milliseconds: what it sealed before it saw
   * the new key is there then. */
  settleMs: number;
  signal: AbortSignal;
  onProgress: OnProgress;
}

export interface Rotated {
  keyId: string;
  resealed: number;
  /** Texts that no known key opens. */
  lost: number;
  /** The first of them. */
  named: readonly string[];
}

/** Seals all texts under the first key, until there is nothing left to do. Errors: CommandError, those of `reseal`. */
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
    // What was removed is not met again, what was left is.
    lost = dropLost ? lost + done.lost : done.lost;
    named = dropLost ? [...named, ...done.named] : done.named;
    if (done.resealed === 0) return { keyId: keyring.first.id, resealed, lost, named };
  }
  throw new CommandError(
    "Somebody goes on sealing under a former key: end what does not know the new one, then run this again.",
  );
}

/** The key that hashes are made with is sealed too, and without it nobody's API key is known. CommandError. */
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
 * Puts a new key before the one in the data folder's file, where running processes find it, seals all texts under it, and only
 * then drops the former one. Cut off, the file says so by its two keys, and the next run goes on with them.
 */
export async function rotateKeptKey(opened: Opened, options: RotateOptions): Promise<Rotated> {
  const { dataDir, keyring } = opened;
  const [{ lockRotation }, { keptSecrets, newSecret, replaceKeptSecrets }, { SECRETS_KEY_FILE }] = await Promise.all([
    import("./rotation-lock.ts"),
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
