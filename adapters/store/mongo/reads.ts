import type { ClientSession, Sort } from "mongodb";
import type { Condition } from "../filter.ts";
import type { Layout } from "../layout.ts";
import type { SortKey } from "../sort.ts";
import { type DocumentModel, fromMongo, type MongoDocument } from "./model.ts";
import { isCursorLost } from "./mongo-errors.ts";
import { mongoFilter, mongoPath, mongoSort } from "./mongo-filter.ts";
import { QUERY_MS } from "./mongo-options.ts";

// Reads bypass Mongoose: filters are checked already, and its queries and casts take as much processor time as the rest.

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
  const found = await read().catch((error: unknown) => {
    if (!isCursorLost(error)) throw error;
    return read();
  });
  return found.map(document => fromMongo(layout, document));
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
): Promise<Record<string, number>> {
  const field = mongoPath(path);
  const match = { $and: [mongoFilter(where), { [field]: { $ne: null } }] };
  const group = { _id: `$${field}`, count: { $sum: 1 } };
  const groups = await collection
    .aggregate<{ _id: unknown; count: number }>([{ $match: match }, { $group: group }], {
      maxTimeMS: QUERY_MS,
      session,
    })
    .toArray();
  return Object.fromEntries(groups.map(({ _id, count }) => [String(_id), count]));
}
