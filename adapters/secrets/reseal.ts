import type { Collection, Doc, Store, CollectionSpec } from "../store/port.ts";
import type { Keyring } from "./keyring.ts";
import { keyIdOf, Sealer } from "./sealer.ts";

/**
 * A field with sealed texts. In a schema: `{ type: String, sealedFor: "<purpose>" }`. Their context is the document's
 * id.
 */
export interface SealedField {
  spec: CollectionSpec;
  path: string;
  purpose: string;
  required: boolean;
}

/** The sealed fields of these collections, with their purposes. Only the schemas define them. */
export function sealedFields(specs: readonly CollectionSpec[]): SealedField[] {
  return specs.flatMap(spec =>
    Object.entries(spec.schema.paths).flatMap(([path, type]) => {
      const { sealedFor: purpose } = type.options as { sealedFor?: string };
      return purpose === undefined ? [] : [{ spec, path, purpose, required: type.isRequired === true }];
    }),
  );
}

/** Small, because each document may hold megabytes. */
const PAGE = 50;
/** A text that changes during each of these attempts is left to the next run. */
const TRIES = 5;
/** The most lost texts that are named. */
const MAX_NAMED = 20;

/**
 * Called after each page with the number of documents that were read, and the number of documents in the collection.
 */
export type OnPage = (collection: string, seen: number, all: number) => void;

export interface Resealed {
  /** The number of texts that were sealed again under the first key. */
  resealed: number;
  /** The number of texts that no known key opens. They were left unchanged, or removed. */
  lost: number;
  /** The first of the lost texts, such as `mcpServers.credential of <id>`. */
  named: readonly string[];
}

export interface ResealOptions {
  signal: AbortSignal;
  /** Removes the texts that no known key opens. If such a text is required, the whole document is removed. */
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

/** All documents of a collection, page by page. */
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

/**
 * Seals one text again by compare-and-set. If the text has changed meanwhile, the new text is kept and checked again.
 */
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
 * Seals all texts of these fields again with the keyring's first key, while the service runs. An interrupted run has
 * done part of the work, and the next run does the rest. When a run reseals nothing, the work is complete.
 * @throws the errors of the store, or the signal's reason.
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
      // Concurrent writes share one write to the disk.
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
  /** The collection and the path. */
  field: string;
  /** Null for texts from before keys had ids. */
  keyId: string | null;
  count: number;
}

/**
 * Counts the texts of each field by the key that seals them.
 * @throws the errors of the store, or the signal's reason.
 */
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
