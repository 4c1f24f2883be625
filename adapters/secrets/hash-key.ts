import { defineCollection } from "../store/define-collection.ts";
import { sealed } from "../store/field-types.ts";
import type { Store } from "../store/port.ts";
import type { Keyring } from "./keyring.ts";
import { Sealer } from "./sealer.ts";

const PURPOSE = "kept keys";
const ID = "hash-key";

/** Keys that must outlive the key that seals them. */
export const keptKeys = defineCollection({ name: "keptKeys", tenant: false, fields: { key: sealed(PURPOSE) } });

/**
 * The key of all stored keyed hashes, for example of API keys. The hashed texts are not stored and cannot be hashed
 * again, so this key stays when the sealing key is replaced. It is the first sealing key, and is stored once.
 * @throws {UnknownKeyError} when no known key opens it; also the errors of the store.
 */
export async function hashKey(store: Store, keyring: Keyring): Promise<string> {
  await store.register([keptKeys]);
  const all = store.global(keptKeys);
  const sealer = new Sealer(keyring, PURPOSE);
  let doc = await all.get({ id: ID });
  if (!doc) {
    const made = { id: ID, key: sealer.seal(keyring.first.secret, ID) };
    // Another process that starts at the same time may be first.
    await all.insert(made).catch((error: { code?: unknown }) => {
      if (error.code !== "unique_conflict") throw error;
    });
    doc = (await all.get({ id: ID })) ?? made;
  }
  return sealer.open(doc.key, ID);
}

/**
 * Removes the hash key if no key opens it any more. All hashes are lost with it. The next `hashKey` creates a new one.
 */
export async function forgetHashKey(store: Store): Promise<void> {
  await store.global(keptKeys).remove({ id: ID });
}
