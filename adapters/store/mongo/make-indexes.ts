import { isDeepStrictEqual } from "node:util";
import { MongoServerError, type Collection, type IndexDescription } from "mongodb";
import type { Index, Layout } from "../layout.ts";
import { mongoFilter, mongoPath } from "./mongo-filter.ts";

interface Described {
  name: string;
  key: Record<string, unknown>;
  unique?: boolean;
  partialFilterExpression?: Record<string, unknown>;
}

const NO_COLLECTION = 26;

const describe = ({ name, keys, unique, partial }: Index): Described => ({
  name,
  key: Object.fromEntries(keys.map(([path, direction]) => [mongoPath(path), direction])),
  ...(unique && { unique }),
  ...(partial && { partialFilterExpression: mongoFilter(partial) }),
});

/** The order of keys matters in an index. The order of conditions does not. */
const sameAs = (wanted: Described, found: Described): boolean =>
  isDeepStrictEqual(Object.entries(wanted.key), Object.entries(found.key)) &&
  Boolean(wanted.unique) === Boolean(found.unique) &&
  isDeepStrictEqual(wanted.partialFilterExpression ?? {}, found.partialFilterExpression ?? {});

const text = ({ key, unique, partialFilterExpression }: Described): string =>
  JSON.stringify({ key, ...(unique && { unique }), ...(partialFilterExpression && { partialFilterExpression }) });

async function indexesOf(collection: Collection, maxTimeMS: number): Promise<Described[]> {
  try {
    return (await collection.listIndexes({ maxTimeMS }).toArray()) as Described[];
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NO_COLLECTION) return [];
    throw error;
  }
}

/**
 * Creates missing indexes, and warns about different ones. An existing index with the same name but another definition
 * stays: replacing it takes time, so operators choose the moment. Changes nothing if all indexes exist.
 */
export async function makeIndexes(
  collection: Collection,
  layout: Layout,
  maxTimeMS: number,
  warn: (message: string) => void,
): Promise<void> {
  const wanted = layout.indexes.map(describe);
  if (wanted.length === 0) return;
  const there = await indexesOf(collection, maxTimeMS);
  const missing: Described[] = [];
  for (const index of wanted) {
    // MongoDB refuses a second index that differs only in its name.
    const found = there.find(({ name }) => name === index.name) ?? there.find(other => sameAs(index, other));
    if (!found) missing.push(index);
    if (!found || sameAs(index, found)) continue;
    const advice = "Drop it at a quiet moment, and start Weft again";
    warn(`MongoDB: the index ${index.name} of ${layout.name} is ${text(found)}, expected ${text(index)}. ${advice}.`);
  }
  if (missing.length > 0) await collection.createIndexes(missing as IndexDescription[]);
}
