import { draftKeys, dropDraft, keepDraft, readDraft } from "./drafts.ts";
import type { DraftNote } from "./workflow-types.ts";

const NAME = "weft-drafts";
const STORE = "drafts";

/** The fields that every draft has. The builder defines the others. */
export interface StoredDraft {
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

/** Returns the database, and opens it again after the browser closed it, for example because the disk was full. */
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

/** Removes a draft and the note about its copy on the service. */
const forgetKey = (key: string) =>
  within("readwrite", store => store.delete(IDBKeyRange.bound(key, noteOf(key)))).catch(() => undefined);

/** The drafts of workflows by their keys. */
async function all(userId: string): Promise<Map<string, StoredDraft>> {
  const keys = await within("readonly", store => store.getAllKeys(IDBKeyRange.bound(`${userId}:`, `${userId};`))).catch(
    () => [],
  );
  const found = new Map<string, StoredDraft>();
  for (const key of keys.map(String).filter(one => !one.endsWith(":there"))) {
    const draft = await read<StoredDraft>(key);
    if (draft) found.set(key, draft);
  }
  for (const key of draftKeys(userId, PREFIX)) {
    const [id, draft] = [key.slice(PREFIX.length), readDraft(userId, key) as StoredDraft | undefined];
    if (draft && (found.get(keyOf(userId, id))?.at ?? 0) < draft.at) found.set(keyOf(userId, id), draft);
  }
  return found;
}

/**
 * Users who signed out and asked to keep nothing here. A page that closes after that must not store their drafts again.
 */
const gone = new Set<string>();

const isThere = async (key: string, { at }: StoredDraft) => (await read<DraftNote>(noteOf(key)))?.at === at;

/** Stores drafts of workflows in this browser. It uses localStorage if IndexedDB is missing or full. */
export const draftStore = {
  /** Opens the database early, because a browser takes longest when it must create it. */
  begin: (): void => void usable().catch(() => undefined),
  async read(userId: string, workflowId: string): Promise<unknown> {
    gone.delete(userId);
    const kept = await read<StoredDraft>(keyOf(userId, workflowId));
    const beside = readDraft(userId, PREFIX + workflowId) as StoredDraft | undefined;
    return beside && beside.at > (kept?.at ?? 0) ? beside : kept;
  },
  /**
   * @throws {Error} if the browser has no room or does not allow storage
   */
  async keep(userId: string, workflowId: string, draft: StoredDraft): Promise<void> {
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
  /** Notes which state of the draft the service holds. Undefined removes the note. */
  async note(userId: string, workflowId: string, note: DraftNote | undefined): Promise<void> {
    const key = noteOf(keyOf(userId, workflowId));
    await (note ? within("readwrite", store => store.put(note, key)).catch(() => undefined) : remove(key));
  },
  readNote: (userId: string, workflowId: string): Promise<DraftNote | undefined> =>
    read<DraftNote>(noteOf(keyOf(userId, workflowId))),
  /** The names of the workflows whose drafts exist only in this browser. */
  async onlyHere(userId: string): Promise<string[]> {
    const names: string[] = [];
    for (const [key, draft] of await all(userId)) if (!(await isThere(key, draft))) names.push(draft.meta.name);
    return names;
  },
  /** Removes a user's drafts at sign-out. Drafts that exist only here stay, unless `everything` is set. */
  async forget(userId: string, everything: boolean): Promise<void> {
    if (everything) gone.add(userId);
    for (const [key, draft] of await all(userId)) {
      if (!everything && !(await isThere(key, draft))) continue;
      dropDraft(userId, PREFIX + key.slice(userId.length + 1));
      await forgetKey(key);
    }
  },
};
