import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Keyring } from "../adapters/secrets/keyring.ts";
import type { CollectionSpec, Store } from "../adapters/store/port.ts";
import { CommandError, type Invocation } from "./command.ts";
import { installation } from "./installation.ts";

/** The state of a command that opens the store itself, without a running Weft. */
export interface Opened {
  store: Store;
  dataDir: string;
  keyring: Keyring;
  /** True if the first key comes from a file in the data folder, and not from the environment. */
  keepsKey: boolean;
  /** The keys in the environment besides the first one. */
  oldKeys: readonly string[];
}

/**
 * Opens the store in the environment or the file .env, and closes it after `run`. Weft may be running on the same
 * store. A missing store or key is not created.
 * @throws {CommandError} when there is no store or no key; ConfigError and errors of the store pass through
 */
export async function withStore<T>(
  given: Invocation,
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
  // With `full` sync, texts sealed with a new key are on disk before the old key is dropped, even if the power fails.
  const store = await openStore({ dataDir, mongodbUri, sync: "full", collections });
  try {
    return await run({ store, dataDir, keyring, keepsKey, oldKeys: settings.SECRETS_KEYS_OLD });
  } finally {
    await store.close();
  }
}
