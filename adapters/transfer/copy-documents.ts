import { checkDocument, type CheckedDocument } from "../store/document.ts";
import { type Digest, Digester } from "../store/digest.ts";
import { InvalidDocumentError } from "../store/errors.ts";
import type { Collection, CollectionSpec, Doc, Store } from "../store/port.ts";
import type { FrozenFile } from "../store/sqlite/frozen-file.ts";
import { TransferError } from "./transfer.ts";

type Documents = Record<string, unknown>[];

/** More than the length of a list of the source. */
const MAX_PAGE = 1000;

/** All documents of a collection, across workspaces. */
export const everyDocument = (target: Store, spec: CollectionSpec): Collection<Doc> =>
  spec.tenant ? target.acrossTenants(spec) : target.global(spec);

const idOf = (documents: Documents, place: number): string => String(documents.at(place)?.id);

/** Compares ids in the order that both sides use. */
const isBehind = (id: string, other: string): boolean => Buffer.compare(Buffer.from(id), Buffer.from(other)) > 0;

/**
 * Inserts the documents that the target lacks, in the order of ids. An interrupted attempt may have inserted a part of
 * its last list. So lists up to the target's last id are compared by id, and later lists are inserted without a
 * comparison. `onBatch` receives the number of processed documents. An error of it ends the copy.
 * @throws the errors of the store, or of `onBatch`.
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
    // Throws an error that names the invalid document.
    if (error instanceof InvalidDocumentError) for (const document of documents) checked(spec, document);
    throw error;
  }
}

async function idsBetween(docs: Collection<Doc>, first: string, last: string): Promise<Set<string>> {
  const { items } = await docs.find({ id: { $gte: first, $lte: last } }, { limit: MAX_PAGE });
  return new Set(items.map(({ id }) => id));
}

/**
 * Reads both sides again, separately, and returns the digest of each. A page of the target is no larger than a page of
 * the source, so both need equal memory.
 * @throws the errors of the store.
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
  // Documents after the last id were not read. The limit makes counting them fast, however many there are.
  const behind = await docs.count({ id: { $gt: before } }, { limit: MAX_PAGE });
  const read = there.digest;
  return { source: here.digest, target: { ...read, count: read.count + behind } };
}

/** Validates a document, with the defaults that an insert would give it in this version. */
function checked({ name, layout }: CollectionSpec, document: Record<string, unknown>): CheckedDocument {
  try {
    return checkDocument(layout, document);
  } catch (error) {
    if (!(error instanceof InvalidDocumentError)) throw error;
    throw new TransferError(
      `The document ${String(document.id)} of ${name} is not valid in this version: ${error.message}`,
    );
  }
}
