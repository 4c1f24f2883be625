import type { CheckedEntry, CheckedVector } from "../check.ts";
import type { Embedder, VectorUpdate } from "../port.ts";
import { revisionOf } from "../revision.ts";
import { DENSE, SPARSE } from "./collections.ts";
import type { QdrantConnection } from "./connection.ts";
import { filterOfRevision, pointId, pointOf, type PointPayload } from "./points.ts";

/** So many points travel together: of the longest texts and vectors, still less than the 32 MiB that Qdrant takes at once. */
const PAGE = 100;

const isOf = (vector: CheckedVector | null, { id, dimension }: Embedder): vector is CheckedVector =>
  vector?.embedder === id && vector.values.length === dimension;

/** A point whose text is still the same keeps its dense vector: only what it is filtered by is written. */
export async function putPoints(
  connection: QdrantConnection,
  collection: string,
  embedder: Embedder,
  workspaceId: string,
  entries: readonly CheckedEntry[],
): Promise<void> {
  for (let start = 0; start < entries.length; start += PAGE) {
    const page = entries.slice(start, start + PAGE);
    const revisions = await revisionsOf(
      connection,
      collection,
      page.filter(({ vector }) => !isOf(vector, embedder)).map(({ id }) => pointId(workspaceId, id)),
    );
    const operations = page.map(entry => {
      const point = pointOf(workspaceId, entry, isOf(entry.vector, embedder) ? entry.vector : null);
      if (revisions.get(point.id) !== revisionOf(entry.text)) return { upsert: { points: [point] } };
      const { payload, tags } = point.payload;
      return { set_payload: { payload: { payload, tags }, points: [point.id] } };
    });
    await connection.run(client => client.batchUpdate(collection, { wait: true, operations }));
  }
}

/** Those of another model, of entries that are gone and of texts that are no longer theirs are left out. */
export async function setVectors(
  connection: QdrantConnection,
  collection: string,
  embedder: Embedder,
  workspaceId: string,
  updates: readonly (VectorUpdate & { checked: CheckedVector })[],
): Promise<void> {
  const own = updates.filter(({ checked }) => isOf(checked, embedder));
  for (let start = 0; start < own.length; start += PAGE) {
    const page = own.slice(start, start + PAGE).map(update => ({ ...update, point: pointId(workspaceId, update.id) }));
    const revisions = await revisionsOf(
      connection,
      collection,
      page.map(({ point }) => point),
    );
    const operations = page.flatMap(({ point, revision, checked }) => {
      const held = revisions.get(point);
      if (held === undefined || (revision !== undefined && revision !== held)) return [];
      const points = [{ id: point, vector: { [DENSE]: [...checked.values] } }];
      // Should the text change in between, the point goes on waiting for a vector.
      const filter = filterOfRevision(point, held);
      return [{ update_vectors: { points } }, { set_payload: { payload: { pending: false }, filter } }];
    });
    if (operations.length > 0)
      await connection.run(client => client.batchUpdate(collection, { wait: true, operations }));
  }
}

/** Copies what another collection has not, or has of an older text, without dense vectors. How many. */
export async function copyMissing(connection: QdrantConnection, from: string, to: string): Promise<number> {
  let copied = 0;
  let offset: string | number | undefined;
  do {
    const page = await connection.run(client =>
      client.scroll(from, {
        limit: PAGE,
        with_payload: true,
        with_vector: [SPARSE],
        ...(offset !== undefined && { offset }),
      }),
    );
    const held = await revisionsOf(
      connection,
      to,
      page.points.map(({ id }) => String(id)),
    );
    const missing = page.points.filter(
      ({ id, payload }) => held.get(String(id)) !== (payload as unknown as PointPayload).revision,
    );
    const points = missing.map(({ id, payload, vector }) => ({
      id,
      payload: { ...payload, pending: true },
      vector: vector as Record<string, { indices: number[]; values: number[] }>,
    }));
    if (points.length > 0) await connection.run(client => client.upsert(to, { wait: true, points }));
    copied += points.length;
    offset = (page.next_page_offset ?? undefined) as string | number | undefined;
  } while (offset !== undefined);
  return copied;
}

async function revisionsOf(
  connection: QdrantConnection,
  collection: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const points = await connection.run(client =>
    client.retrieve(collection, { ids: [...ids], with_payload: ["revision"] }),
  );
  return new Map(points.map(({ id, payload }) => [String(id), String(payload?.revision)]));
}
