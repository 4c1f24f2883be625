import { resolve } from "node:path";
import { CheckedStore } from "./checked-store.ts";
import { StoreUnavailableError } from "./errors.ts";
import { MIGRATION_ID, migrations } from "./migration-record.ts";
import type { CollectionSpec, Store } from "./port.ts";
import { SqliteDriver } from "./sqlite/sqlite-driver.ts";

export interface StoreSettings {
  /** MongoDB where given, else the embedded side. */
  mongodbUri?: string | undefined;
  dataDir: string;
  /** Embedded side: `normal` survives a killed process, `full` a power cut too. */
  sync: "normal" | "full";
  collections?: readonly CollectionSpec[];
  /** MongoDB: commands that take longer are told, in milliseconds; 0 for none. */
  slowMs?: number;
  /** Hears of them, and of indexes in MongoDB that are not as they should be. */
  warn?: (message: string) => void;
}

/** A store of one's own. Most want `acquireStore`. StoreUnavailableError. */
export async function openStore(settings: StoreSettings): Promise<Store> {
  const { mongodbUri: uri, slowMs, warn } = settings;
  // Loaded where it is used alone: it brings the driver of MongoDB along.
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

/** StoreUnavailableError too where a migration has brought only a part. */
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

const shared = new Map<string, { store: Promise<Store>; holders: number }>();

/**
 * The store that all of this process share: one writer thread, one connection pool. The last `release` closes it.
 * StoreUnavailableError.
 */
export async function acquireStore(settings: StoreSettings): Promise<{ store: Store; release(): Promise<void> }> {
  const key = settings.mongodbUri ?? resolve(settings.dataDir);
  let entry = shared.get(key);
  if (!entry) shared.set(key, (entry = { store: openWhole(settings), holders: 0 }));
  const held = entry;
  held.holders++;
  let released = false;
  const release = async (): Promise<void> => {
    if (released) return;
    released = true;
    if (--held.holders > 0) return;
    shared.delete(key);
    await (await held.store).close();
  };
  try {
    const store = await held.store;
    await store.register(settings.collections ?? []);
    return { store, release };
  } catch (error) {
    await release().catch(() => undefined);
    throw error;
  }
}
