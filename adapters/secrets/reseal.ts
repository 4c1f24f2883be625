import type { Collection, Doc, Store } from "../store/port.ts";
import type { Keyring } from "./keyring.ts";
import type { SealedField } from "./sealed-fields.ts";
import { keyIdOf, Sealer } from "./sealer.ts";

/** Documents may hold megabytes each. */
const PAGE = 50;
/** A text that others change so often is looked at by the next round. */
const TRIES = 5;
/** So many of those that are lost are named. */
const MAX_NAMED = 20;

/** Of each page: how many documents of the collection were looked at, and how many there are. */
export type OnPage = (collection: string, seen: number, all: number) => void;

export interface Resealed {
  /** Sealed anew under the first key. */
  resealed: number;
  /** Texts that no known key opens: they were left as they are, or removed. */
  lost: number;
  /** The first of them, such as `mcpServers.credential of <id>`. */
  named: readonly string[];
}

export interface ResealOptions {
  signal: AbortSignal;
  /** Removes the texts that no known key opens; a document that cannot be without one goes as a whole. */
  dropLost?: boolean;
  onPage?: OnPage;
}

type AnyDoc = Doc & Record<string, unknown>;

const collectionOf = (store: Store, { spec }: SealedField) =>
  (spec.tenant ? store.acrossTenants(spec) : store.global(spec)) as unknown as Collection<AnyDoc>;

const textAt = (doc: AnyDoc, path: string): string | undefined => {
  const value = path.split(".").reduce<unknown>((at, key) => (at as AnyDoc | undefined)?.[key], doc);
  return typeof value === "string" ? value : undefined;
};

const nameOf = ({ spec, path }: SealedField): string => `${spec.name}.${path}`;

/** All of a collection. */
async function* pages(store: Store, field: SealedField, signal: AbortSignal, onPage?: OnPage) {
  const documents = collectionOf(store, field);
  const all = onPage ? await documents.count({}) : 0;
  let after: string | null = null;
  let seen = 0;
  do {
    signal.throwIfAborted();
    const page: { items: AnyDoc[]; next: string | null } = await documents.find({}, { limit: PAGE, after });
    yield page.items;
    seen += page.items.length;
    onPage?.(field.spec.name, seen, Math.max(seen, all));
    after = page.next;
  } while (after !== null);
}

function opened(sealer: Sealer, text: string, id: string): string | undefined {
  try {
    return sealer.open(text, id);
  } catch {
    return undefined;
  }
}

/** Seals one text anew by compare-and-set: what others have put in its place is theirs, and looked at again. */
async function resealOne(
  { store, field, sealer, keyring }: { store: Store; field: SealedField; sealer: Sealer; keyring: Keyring },
  doc: AnyDoc,
  dropLost: boolean,
): Promise<"resealed" | "lost" | undefined> {
  const all = collectionOf(store, field);
  const { id } = doc;
  let found: AnyDoc | null = doc;
  for (let tries = 0; found && tries < TRIES; tries++) {
    const text = textAt(found, field.path);
    if (text === undefined || keyIdOf(text) === keyring.first.id) return undefined;
    const plain = opened(sealer, text, id);
    const same = { id, [field.path]: text };
    if (plain !== undefined) {
      if (await all.updateOne(same, { $set: { [field.path]: sealer.seal(plain, id) } })) return "resealed";
    } else if (!dropLost) return "lost";
    else if (field.required ? await all.remove(same) : await all.updateOne(same, { $unset: { [field.path]: true } }))
      return "lost";
    found = await all.get({ id });
  }
  return undefined;
}

/**
 * Seals all that these fields keep under the keyring's first key, while others use it. Cut off, it has done a part, and the next
 * run the rest; once a run reseals nothing, nothing is left. Errors: those of the store, the signal's reason.
 */
export async function reseal(
  store: Store,
  fields: readonly SealedField[],
  keyring: Keyring,
  { signal, dropLost = false, onPage }: ResealOptions,
): Promise<Resealed> {
  const [sum, named] = [{ resealed: 0, lost: 0 }, [] as string[]];
  for (const field of fields) {
    const sealer = new Sealer(keyring, field.purpose);
    for await (const page of pages(store, field, signal, onPage)) {
      // Together, since writes that come together are on the disk together.
      const ends = await Promise.all(page.map(doc => resealOne({ store, field, sealer, keyring }, doc, dropLost)));
      ends.forEach((end, at) => {
        if (end) sum[end]++;
        if (end === "lost" && named.length < MAX_NAMED) named.push(`${nameOf(field)} of ${page[at]?.id}`);
      });
    }
  }
  return { ...sum, named };
}

export interface SealedCount {
  /** Collection and path. */
  field: string;
  /** Null for texts from before keys had ids. */
  keyId: string | null;
  count: number;
}

/** How many texts of each field are sealed under which key. Errors: those of the store, the signal's reason. */
export async function countSealed(
  store: Store,
  fields: readonly SealedField[],
  signal: AbortSignal,
  onPage?: OnPage,
): Promise<SealedCount[]> {
  const counts: SealedCount[] = [];
  for (const field of fields) {
    const byKey = new Map<string | null, number>();
    for await (const page of pages(store, field, signal, onPage))
      for (const doc of page) {
        const text = textAt(doc, field.path);
        if (text !== undefined) byKey.set(keyIdOf(text), (byKey.get(keyIdOf(text)) ?? 0) + 1);
      }
    counts.push(...[...byKey].map(([keyId, count]) => ({ field: nameOf(field), keyId, count })));
  }
  return counts;
}
