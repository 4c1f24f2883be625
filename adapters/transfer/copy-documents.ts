import { checkDocument, type CheckedDocument } from "../store/document.ts";
import { type Digest, Digester } from "../store/digest.ts";
import { InvalidDocumentError } from "../store/errors.ts";
import type { Collection, CollectionSpec, Doc, Store } from "../store/port.ts";
import type { FrozenFile } from "../store/sqlite/frozen-file.ts";
import { TransferError } from "./transfer-error.ts";

type Documents = Record<string, unknown>[];

/** More than a list of the source has. */
const MAX_PAGE = 1000;

/** All documents of a collection, of whichever workspace. */
export const everyDocument = (target: Store, spec: CollectionSpec): Collection<Doc> =>
  spec.tenant ? target.acrossTenants(spec) : target.global(spec);

const idOf = (documents: Documents, place: number): string => String(documents.at(place)?.id);

/** As both sides order ids. */
const isBehind = (id: string, other: string): boolean => Buffer.compare(Buffer.from(id), Buffer.from(other)) > 0;

/**
 * Inserts what the target does not have yet, in the order of ids. Of what a former try brought, the last list may be there in
 * part; so lists up to the target's last id are compared by their ids, and those behind it are inserted as they are.
 * `onBatch` hears how many documents were gone through, and what it throws ends it. Errors: those of the store.
 */
export async function copyCollection(
  source: FrozenFile,
  target: Store,
  spec: CollectionSpec,
  onBatch: (count: number) => void,
): Promise<void> {
  const docs = everyDocument(target, spec);
  const [last] = (await docs.find({}, { sort: { id: -1 }, limit: 1 })).items;
  for (const batch of source.batches(spec.layout)) {
    const isNew = !last || isBehind(idOf(batch, 0), last.id);
    const there = isNew ? new Set<string>() : await idsBetween(docs, idOf(batch, 0), idOf(batch, -1));
    const missing = batch.filter(({ id }) => !there.has(String(id)));
    if (missing.length > 0) await insert(docs, spec, missing);
    onBatch(batch.length);
  }
}

async function insert(docs: Collection<Doc>, spec: CollectionSpec, documents: Documents): Promise<void> {
  try {
    await docs.insertMany(documents as unknown as Doc[]);
  } catch (error) {
    // Says which one it is.
    if (error instanceof InvalidDocumentError) for (const document of documents) checked(spec, document);
    throw error;
  }
}

async function idsBetween(docs: Collection<Doc>, first: string, last: string): Promise<Set<string>> {
  const { items } = await docs.find({ id: { $gte: first, $lte: last } }, { limit: MAX_PAGE });
  return new Set(items.map(({ id }) => id));
}

/**
 * Reads both sides again, each by itself, and gives what each has. A page of the target is no larger than that of the source,
 * so that neither takes more memory than the other. Errors: those of the store.
 */
export async function digestBoth(
  source: FrozenFile,
  target: Store,
  spec: CollectionSpec,
  onBatch: (count: number) => void,
): Promise<{ source: Digest; target: Digest }> {
  const docs = everyDocument(target, spec);
  const [here, there] = [new Digester(), new Digester()];
  const whole = (document: Record<string, unknown>) => checked(spec, document);
  let before = "";
  for (const batch of source.batches(spec.layout)) {
    for (const document of batch) here.add(whole(document));
    const last = idOf(batch, -1);
    const page = await docs.find({ id: { $gt: before, $lte: last } }, { limit: Math.min(batch.length + 1, MAX_PAGE) });
    for (const document of page.items) there.add(whole(document as unknown as Record<string, unknown>));
    before = last;
    onBatch(batch.length);
  }
  // What lies behind the last id was not read; so few are counted that it takes no time, however many there are.
  const behind = await docs.count({ id: { $gt: before } }, { limit: MAX_PAGE });
  const read = there.digest;
  return { source: here.digest, target: { ...read, count: read.count + behind } };
}

/** With the defaults that a newer version has given its fields, as inserting it gives them. */
function checked({ name, layout }: CollectionSpec, document: Record<string, unknown>): CheckedDocument {
  try {
    return checkDocument(layout, document);
  } catch (error) {
    if (!(error instanceof InvalidDocumentError)) throw error;
    throw new TransferError(
      `The document ${String(document.id)} of ${name} is not one that this version takes: ${error.message}`,
    );
  }
}
