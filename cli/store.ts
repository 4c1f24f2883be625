import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Keyring } from "../adapters/secrets/keyring.ts";
import type { CollectionSpec, Store } from "../adapters/store/port.ts";
import { CommandError, type Given } from "./command.ts";
import { installation } from "./installation.ts";

/** What a command works with that goes to the store itself, and not through a running Weft. */
export interface Opened {
  store: Store;
  dataDir: string;
  keyring: Keyring;
  /** The first key is a file's in the data folder, not the environment's. */
  keepsKey: boolean;
  /** Keys that the environment gives beside the first. */
  oldKeys: readonly string[];
}

/**
 * Opens the store that the environment, or the file .env, names, as Weft does, and closes it after `run`. Weft may be running
 * on it. It makes neither a store nor a key where there is none. Errors: CommandError, ConfigError, those of the store.
 */
export async function withStore<T>(
  given: Given,
  collections: readonly CollectionSpec[],
  run: (opened: Opened) => Promise<T>,
): Promise<T> {
  const { dataDir, mongodbUri } = await installation(given);
  const [{ readEnvironment, sealingKeys, SECRETS_KEY_FILE }, { Keyring }, { openStore }] = await Promise.all([
    import("../config.ts"),
    import("../adapters/secrets/keyring.ts"),
    import("../adapters/store/open-store.ts"),
  ]);
  const settings = readEnvironment({ ...process.env, DATA_DIR: dataDir });
  const keepsKey = settings.SECRETS_KEY === undefined;
  if (!mongodbUri && !existsSync(join(dataDir, "weft.db")))
    throw new CommandError(`There is no store in ${dataDir}. Set DATA_DIR or MONGODB_URI as for Weft itself.`);
  if (keepsKey && !existsSync(join(dataDir, SECRETS_KEY_FILE)))
    throw new CommandError(`There is no ${SECRETS_KEY_FILE} in ${dataDir}. Set SECRETS_KEY as for Weft itself.`);
  const SECRETS_KEY = settings.SECRETS_KEY ?? "";
  const keyring = new Keyring(sealingKeys({ ...settings, SECRETS_KEY, keepsSecretsKey: keepsKey }));
  // What was done under one key is on the disk before another one goes, also where a power cut follows.
  const store = await openStore({ dataDir, mongodbUri, sync: "full", collections });
  try {
    return await run({ store, dataDir, keyring, keepsKey, oldKeys: settings.SECRETS_KEYS_OLD });
  } finally {
    await store.close();
  }
}
