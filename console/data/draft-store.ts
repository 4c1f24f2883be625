import { keepDraft, readDraft } from "./drafts.ts";

const NAME = "weft-drafts";
const STORE = "drafts";

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("IndexedDB is not available"));
    request.onblocked = () => reject(new Error("IndexedDB is blocked"));
  });
}

let database: Promise<IDBDatabase> | undefined;

async function within<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  database ??= opened();
  const transaction = (await database).transaction(STORE, mode, { durability: "strict" });
  const request = act(transaction.objectStore(STORE));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error ?? new Error("The browser refused to keep the draft"));
    transaction.onerror = () => reject(transaction.error ?? new Error("The browser refused to keep the draft"));
  });
}

const keyOf = (userId: string, workflowId: string) => `${userId}:${workflowId}`;
/** Under this key stands the time of the draft that the service has, too. */
const thereOf = (key: string) => `${key}:there`;
const isThere = (key: string) => key.endsWith(":there");

/** Drafts of workflows in this browser. They go to localStorage where a browser has no IndexedDB. */
export const draftStore = {
  async read(userId: string, workflowId: string): Promise<unknown> {
    try {
      return await within<unknown>("readonly", store => store.get(keyOf(userId, workflowId)));
    } catch {
      return readDraft(userId, `workflow:${workflowId}`);
    }
  },
  /** @throws {Error} when the browser has no room, or keeps nothing. */
  async keep(userId: string, workflowId: string, draft: unknown): Promise<void> {
    try {
      await within("readwrite", store => store.put(draft, keyOf(userId, workflowId)));
    } catch (error) {
      if (!keepDraft(userId, `workflow:${workflowId}`, draft)) throw error;
    }
  },
  async drop(userId: string, workflowId: string): Promise<void> {
    try {
      const key = keyOf(userId, workflowId);
      await within("readwrite", store => store.delete(IDBKeyRange.bound(key, thereOf(key))));
    } catch {
      keepDraft(userId, `workflow:${workflowId}`, null);
    }
  },
  /** Notes that the service has the draft of this time. */
  async noteThere(userId: string, workflowId: string, at: number): Promise<void> {
    await within("readwrite", store => store.put(at, thereOf(keyOf(userId, workflowId)))).catch(() => undefined);
  },
  /**
   * Removes the drafts that the service has, when a person signs out. A draft that only this browser has stays, and is
   * there when the same person signs in again.
   */
  async forget(): Promise<void> {
    try {
      const keys = (await within("readonly", store => store.getAllKeys())).map(String);
      for (const key of keys.filter(one => !isThere(one))) {
        const draft = (await within<unknown>("readonly", store => store.get(key))) as { at?: unknown } | undefined;
        const there = await within<unknown>("readonly", store => store.get(thereOf(key)));
        if (there === undefined || draft?.at !== there) continue;
        await within("readwrite", store => store.delete(IDBKeyRange.bound(key, thereOf(key))));
      }
    } catch {
      // Where there is no IndexedDB, nothing is in it.
    }
  },
};
