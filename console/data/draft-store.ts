import { draftKeys, dropDraft, keepDraft, readDraft } from "./drafts.ts";
import type { DraftNote } from "./workflow-types.ts";

const NAME = "weft-drafts";
const STORE = "drafts";

/** What every draft has. The builder knows the rest. */
export interface Kept {
  at: number;
  meta: { name: string };
}

let database: Promise<IDBDatabase> | undefined;

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("IndexedDB is not available"));
    request.onblocked = () => reject(new Error("IndexedDB is blocked"));
  });
}

/** The browser may close a database, as when the disk is full. The next use opens it again. */
function usable(): Promise<IDBDatabase> {
  if (database) return database;
  const asked = opened();
  database = asked;
  const forget = () => {
    if (database === asked) database = undefined;
  };
  asked.then(db => (db.onclose = forget), forget);
  return asked;
}

async function within<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const transaction = (await usable()).transaction(STORE, mode, { durability: "strict" });
  const request = act(transaction.objectStore(STORE));
  return new Promise((resolve, reject) => {
    const refuse = () => reject(transaction.error ?? new Error("The browser refused to keep the draft"));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = refuse;
    transaction.onerror = refuse;
  });
}

const read = <T>(key: string) =>
  within<T | undefined>("readonly", store => store.get(key) as IDBRequest<T | undefined>).catch(() => undefined);
const remove = (key: string) => within("readwrite", store => store.delete(key)).catch(() => undefined);

const keyOf = (userId: string, workflowId: string) => `${userId}:${workflowId}`;
const noteOf = (key: string) => `${key}:there`;
const PREFIX = "workflow:";

/** Removes a draft and what is noted of it. */
const forgetKey = (key: string) =>
  within("readwrite", store => store.delete(IDBKeyRange.bound(key, noteOf(key)))).catch(() => undefined);

/** The drafts of workflows by their keys. */
async function all(userId: string): Promise<Map<string, Kept>> {
  const keys = await within("readonly", store => store.getAllKeys(IDBKeyRange.bound(`${userId}:`, `${userId};`))).catch(
    () => [],
  );
  const found = new Map<string, Kept>();
  for (const key of keys.map(String).filter(one => !one.endsWith(":there"))) {
    const draft = await read<Kept>(key);
    if (draft) found.set(key, draft);
  }
  for (const key of draftKeys(userId, PREFIX)) {
    const [id, draft] = [key.slice(PREFIX.length), readDraft(userId, key) as Kept | undefined];
    if (draft && (found.get(keyOf(userId, id))?.at ?? 0) < draft.at) found.set(keyOf(userId, id), draft);
  }
  return found;
}

/** People who have signed out and left nothing here. What a page that closes still has of them is not kept. */
const gone = new Set<string>();

const isThere = async (key: string, { at }: Kept) => (await read<DraftNote>(noteOf(key)))?.at === at;

/** Drafts of workflows in this browser. They go to localStorage where IndexedDB is missing, or has no room. */
export const draftStore = {
  /** Begins to open the database, which takes a browser longest when it does not have it yet. */
  begin: (): void => void usable().catch(() => undefined),
  async read(userId: string, workflowId: string): Promise<unknown> {
    gone.delete(userId);
    const kept = await read<Kept>(keyOf(userId, workflowId));
    const beside = readDraft(userId, PREFIX + workflowId) as Kept | undefined;
    return beside && beside.at > (kept?.at ?? 0) ? beside : kept;
  },
  /** @throws {Error} when the browser has no room, or keeps nothing. */
  async keep(userId: string, workflowId: string, draft: Kept): Promise<void> {
    if (gone.has(userId)) return;
    try {
      await within("readwrite", store => store.put(draft, keyOf(userId, workflowId)));
    } catch (error) {
      if (!keepDraft(userId, PREFIX + workflowId, draft)) throw error;
      return;
    }
    dropDraft(userId, PREFIX + workflowId);
  },
  async drop(userId: string, workflowId: string): Promise<void> {
    dropDraft(userId, PREFIX + workflowId);
    await remove(keyOf(userId, workflowId));
  },
  /** Notes that the service has a draft of this browser; undefined when it has none any more. */
  async note(userId: string, workflowId: string, note: DraftNote | undefined): Promise<void> {
    const key = noteOf(keyOf(userId, workflowId));
    await (note ? within("readwrite", store => store.put(note, key)).catch(() => undefined) : remove(key));
  },
  readNote: (userId: string, workflowId: string): Promise<DraftNote | undefined> =>
    read<DraftNote>(noteOf(keyOf(userId, workflowId))),
  /** The names of the workflows whose drafts only this browser has. */
  async onlyHere(userId: string): Promise<string[]> {
    const names: string[] = [];
    for (const [key, draft] of await all(userId)) if (!(await isThere(key, draft))) names.push(draft.meta.name);
    return names;
  },
  /** Removes a person's drafts at the sign-out: those that the service has too, or `everything`. */
  async forget(userId: string, everything: boolean): Promise<void> {
    if (everything) gone.add(userId);
    for (const [key, draft] of await all(userId)) {
      if (!everything && !(await isThere(key, draft))) continue;
      dropDraft(userId, PREFIX + key.slice(userId.length + 1));
      await forgetKey(key);
    }
  },
};
