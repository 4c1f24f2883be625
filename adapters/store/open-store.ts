import { resolve } from "node:path";
import { SharedValues } from "../shared-values.ts";
import { CheckedStore } from "./checked-store.ts";
import { StoreUnavailableError } from "./errors.ts";
import { MIGRATION_ID, migrations } from "./migration-record.ts";
import type { CollectionSpec, Store } from "./port.ts";
import { SqliteDriver } from "./sqlite/sqlite-driver.ts";

export interface StoreSettings {
  /** Uses MongoDB at this address, if given, else the embedded driver. */
  mongodbUri?: string | undefined;
  dataDir: string;
  /** For the embedded driver. `normal` survives a killed process. `full` also survives a power cut. */
  sync: "normal" | "full";
  collections?: readonly CollectionSpec[];
  /** For MongoDB. Commands that take longer are reported, in milliseconds. 0 reports none. */
  slowMs?: number;
  /** Called about slow commands, and about indexes in MongoDB with a different definition. */
  warn?: (message: string) => void;
}

/**
 * Opens a separate store. Most callers use `acquireStore`.
 * @throws {StoreUnavailableError} when the store cannot be opened.
 */
export async function openStore(settings: StoreSettings): Promise<Store> {
  const { mongodbUri: uri, slowMs, warn } = settings;
  // Loaded only when it is used, because it loads the MongoDB driver.
  const openMongo = async (uri: string) =>
    (await import("./mongo/mongo-driver.ts")).MongoDriver.open({ uri, slowMs, warn });
  const store = new CheckedStore(uri ? await openMongo(uri) : await SqliteDriver.open(settings));
  try {
    await store.register(settings.collections ?? []);
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/**
 * Opens a store.
 * @throws {StoreUnavailableError} also when a migration to it has not finished.
 */
async function openWhole(settings: StoreSettings): Promise<Store> {
  const store = await openStore({ ...settings, collections: [migrations] });
  try {
    const record = await store.global(migrations).get({ id: MIGRATION_ID });
    if (record && !record.finishedAt)
      throw new StoreUnavailableError("a migration to this store has not finished: run weft migrate again");
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

const shared = new SharedValues<Store>(store => store.close());

/**
 * Acquires this process's shared store: one writer thread, one connection pool. The last `release` closes it.
 * @throws {StoreUnavailableError} when the store cannot be opened.
 */
export async function acquireStore(settings: StoreSettings): Promise<{ store: Store; release(): Promise<void> }> {
  const key = settings.mongodbUri ?? resolve(settings.dataDir);
  const { value: store, release } = await shared.acquire(key, () => openWhole(settings));
  try {
    await store.register(settings.collections ?? []);
    return { store, release };
  } catch (error) {
    await release().catch(() => undefined);
    throw error;
  }
}
