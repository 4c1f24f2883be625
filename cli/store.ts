import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import type { CollectionSpec, Store } from "../adapters/store/port.ts";
import { CommandError } from "./command.ts";

/** What a command works with that goes to the store itself, and not through a running Weft. */
export interface Opened {
  store: Store;
  settings: Config;
}

/**
 * Opens the store that the environment, or the file .env, names, as Weft does, and closes it after `run`. Weft may be running
 * on it. Loaded with its first use, as most commands only speak HTTP. Errors: CommandError, those of the store.
 */
export async function withStore<T>(
  collections: readonly CollectionSpec[],
  run: (opened: Opened) => Promise<T>,
): Promise<T> {
  await import("../config/env-file.ts");
  const [{ config }, { openStore }] = await Promise.all([
    import("../config.ts"),
    import("../adapters/store/open-store.ts"),
  ]);
  const { DATA_DIR, MONGODB_URI } = process.env;
  // Before the configuration is read, which would make what is missing.
  const folder = DATA_DIR?.trim() || "./data";
  if (!MONGODB_URI?.trim() && !existsSync(join(folder, "weft.db")))
    throw new CommandError(`There is no store in ${folder}. Set DATA_DIR or MONGODB_URI as for Weft itself.`);
  const settings = config();
  const store = await openStore({
    ...{ dataDir: settings.DATA_DIR, mongodbUri: settings.MONGODB_URI, sync: settings.STORE_SYNC },
    collections,
  });
  try {
    return await run({ store, settings });
  } finally {
    await store.close();
  }
}
