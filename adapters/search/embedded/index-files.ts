import { SqliteDriver } from "../../store/sqlite/sqlite-driver.ts";
import type { EmbeddedFile, IndexOp, Store } from "../../store/port.ts";
import { SearchTimeoutError, SearchUnavailableError } from "../errors.ts";
import type { IndexFile } from "./embedded-index.ts";
import { SEARCH_SCHEMA } from "./schema.ts";

/** Keeps the index in the store's own file, so documents and index commit together. */
export async function storesFile(store: Store, embedded: EmbeddedFile): Promise<IndexFile> {
  await asSearchErrors(() => embedded.prepare(SEARCH_SCHEMA));
  const op = (statements: IndexOp["statements"]): IndexOp => ({ kind: "index", statements });
  return {
    path: embedded.path,
    write: statements => asSearchErrors(async () => (await store.write([op(statements)]))[0] ?? 0),
    op,
    close: () => Promise.resolve(),
  };
}

/** Keeps the index in its own file, for a store that is elsewhere. `onLost` is called for each write that failed. */
export async function ownFile(
  settings: { dataDir: string; sync: "normal" | "full" },
  onLost: (error: unknown) => void,
): Promise<IndexFile> {
  const driver = await asSearchErrors(() => SqliteDriver.open({ ...settings, name: "search.db" }));
  await asSearchErrors(() => driver.embedded.prepare(SEARCH_SCHEMA));
  const write = (statements: IndexOp["statements"]) =>
    asSearchErrors(async () => (await driver.write([{ kind: "index", statements }]))[0]?.count ?? 0);
  return {
    path: driver.embedded.path,
    write,
    op: statements => ({
      kind: "index",
      statements: [],
      after: () => write(statements).then(() => undefined, onLost),
    }),
    close: () => driver.close(),
  };
}

async function asSearchErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === "store_timeout") throw new SearchTimeoutError(message);
    throw new SearchUnavailableError(message, { cause: error });
  }
}
