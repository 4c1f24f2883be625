import type { ClientSession, Sort } from "mongodb";
import { mapInSlices } from "../../time-slices.ts";
import type { PointRead } from "../driver.ts";
import type { Condition } from "../filter.ts";
import type { Layout } from "../layout.ts";
import type { SortKey } from "../sort.ts";
import { type DocumentModel, fromMongo, type MongoDocument } from "./model.ts";
import { isCursorLost } from "./mongo-errors.ts";
import { mongoFilter, mongoPath, mongoSort } from "./mongo-filter.ts";
import { QUERY_MS } from "./mongo-options.ts";

// Reads bypass Mongoose. Filters are already checked, and its queries and casts take as much processor time as the
// rest.

type Documents = DocumentModel["collection"];

export async function findIn(
  collection: Documents,
  layout: Layout,
  { where, sort, limit }: { where: Condition; sort: readonly SortKey[]; limit: number },
  session: ClientSession,
): Promise<Record<string, unknown>[]> {
  // Requests all documents in one batch, up to MongoDB's 16 MiB, because the driver does not retry the reading of
  // further batches.
  const options = { session, limit, batchSize: limit, maxTimeMS: QUERY_MS, sort: mongoSort(sort) as Sort };
  const read = () => collection.find<MongoDocument>(mongoFilter(where), options).toArray();
  const found = await retryLost(read);
  // A page can hold many megabytes of free-form JSON, which is parsed here.
  return mapInSlices(found, document => fromMongo(layout, document));
}

const retryLost = <T>(read: () => Promise<T>): Promise<T> =>
  read().catch((error: unknown) => {
    if (!isCursorLost(error)) throw error;
    return read();
  });

/** The most reads of one command. The server performs them one after another. */
const MAX_TOGETHER = 8;
/** The field that says which read found a document. Documents have no field with this name. */
const PLACE = "__read";

/** Groups the reads into commands. */
export const inCommands = (reads: readonly PointRead[]): PointRead[][] =>
  Array.from({ length: Math.ceil(reads.length / MAX_TOGETHER) }, (_, i) =>
    reads.slice(i * MAX_TOGETHER, (i + 1) * MAX_TOGETHER),
  );

/** The first match of each read, with one command. `collection` is the collection of the first read. */
export async function findEach(
  collection: Documents,
  reads: readonly PointRead[],
  session: ClientSession,
): Promise<(Record<string, unknown> | null)[]> {
  const first = ({ where }: PointRead, place: number) => [
    { $match: mongoFilter(where) },
    { $sort: { _id: 1 } },
    { $limit: 1 },
    { $set: { [PLACE]: place } },
  ];
  const [own = [], ...others] = reads.map(first);
  const unions = others.map((pipeline, i) => ({ $unionWith: { coll: reads[i + 1]!.layout.name, pipeline } }));
  const options = { session, maxTimeMS: QUERY_MS };
  const found = await retryLost(() => collection.aggregate<MongoDocument>([...own, ...unions], options).toArray());
  const each = reads.map((): Record<string, unknown> | null => null);
  for (const { [PLACE]: place, ...document } of found) {
    const read = reads[place as number];
    if (read) each[place as number] = fromMongo(read.layout, document);
  }
  return each;
}

export function countIn(
  collection: Documents,
  where: Condition,
  limit: number | null,
  session: ClientSession,
): Promise<number> {
  const options = { maxTimeMS: QUERY_MS, session, ...(limit !== null && { limit }) };
  return collection.countDocuments(mongoFilter(where), options);
}

export async function tallyIn(
  collection: Documents,
  where: Condition,
  path: string,
  session: ClientSession,
  of?: string,
): Promise<Record<string, number>> {
  const field = mongoPath(path);
  const match = { $and: [mongoFilter(where), { [field]: { $ne: null } }] };
  const group = { _id: `$${field}`, count: { $sum: of === undefined ? 1 : `$${mongoPath(of)}` } };
  const groups = await collection
    .aggregate<{ _id: unknown; count: number }>([{ $match: match }, { $group: group }], {
      maxTimeMS: QUERY_MS,
      session,
    })
    .toArray();
  return Object.fromEntries(groups.map(({ _id, count }) => [String(_id), count]));
}
