import type { CheckedEntry, CheckedVector } from "../check.ts";
import type { Embedder, VectorUpdate } from "../port.ts";
import type { Operation, QdrantClient } from "./client.ts";
import { DENSE, SPARSE } from "./collection-config.ts";
import type { Staged } from "./collections.ts";
import { PointGoneError, type QdrantConnection } from "./connection.ts";
import { filterOfRevisions, pointId, pointOf, type PointPayload } from "./points.ts";

/** The number of points per request. Even the longest texts and vectors stay below Qdrant's limit of 32 MiB. */
const PAGE = 100;
const MAX_TRIES = 5;

const isOf = (vector: CheckedVector | null, { id, dimension }: Embedder): vector is CheckedVector =>
  vector?.embedder === id && vector.values.length === dimension;

/**
 * Writes entries. Entries with an unchanged text keep their dense vectors, and only their filter fields are written.
 */
export async function putPoints(
  connection: QdrantConnection,
  { address, embedder }: Staged,
  workspaceId: string,
  entries: readonly CheckedEntry[],
): Promise<void> {
  const last = [...new Map(entries.map(entry => [entry.id, entry])).values()];
  const points = last.map(entry => pointOf(workspaceId, entry, isOf(entry.vector, embedder) ? entry.vector : null));
  for (let start = 0; start < points.length; start += PAGE) {
    const page = points.slice(start, start + PAGE);
    await afterRemovals(async () => {
      const unembedded = page.filter(({ payload }) => payload.pending).map(({ id }) => id);
      const revisions = await revisionsOf(connection, address, unembedded);
      const [kept, written] = partition(page, ({ id, payload }) => revisions.get(id) === payload.revision);
      const operations = [
        ...kept.map(({ id, payload: { payload, tags } }) => ({
          set_payload: { payload: { payload, tags }, points: [id] },
        })),
        // One operation for all points, because the server processes operations one by one.
        ...(written.length > 0 ? [{ upsert: { points: written } }] : []),
      ];
      await connection.run(client => client.update(address, operations));
    });
  }
}

/** Sets vectors. Vectors of another model, of removed entries and of outdated texts are skipped. */
export async function setVectors(
  connection: QdrantConnection,
  { address, embedder }: Staged,
  workspaceId: string,
  updates: readonly (VectorUpdate & { checked: CheckedVector })[],
): Promise<void> {
  const own = updates.filter(({ checked }) => isOf(checked, embedder));
  const last = [...new Map(own.map(update => [update.id, update])).values()];
  for (let start = 0; start < last.length; start += PAGE) {
    const page = last.slice(start, start + PAGE).map(update => ({ ...update, point: pointId(workspaceId, update.id) }));
    await afterRemovals(async () => {
      const ids = page.map(({ point }) => point);
      const revisions = await revisionsOf(connection, address, ids);
      const current = page.flatMap(({ point, revision, checked }) => {
        const held = revisions.get(point);
        if (held === undefined || (revision !== undefined && revision !== held)) return [];
        return [{ point, revision: held, vector: { [DENSE]: [...checked.values] } }];
      });
      if (current.length === 0) return;
      const points = current.map(({ point, vector }) => ({ id: point, vector }));
      // If a text changes in between, its point still waits for a vector.
      const operations = [{ update_vectors: { points } }, clearPending(current)];
      await connection.run(client => client.update(address, operations));
    });
  }
}

/** Marks these texts as waiting for no vector. */
export const clearPending = (texts: readonly { point: string; revision: string }[]): Operation => ({
  set_payload: { payload: { pending: false }, filter: filterOfRevisions(texts) },
});

/** Repeats a write if another process has removed one of its points since they were read. */
async function afterRemovals(write: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (tries === MAX_TRIES || !(error instanceof PointGoneError)) throw error;
    }
  }
}

function partition<T>(items: readonly T[], belongs: (item: T) => boolean): [T[], T[]] {
  return [items.filter(belongs), items.filter(item => !belongs(item))];
}

/**
 * Copies the points that the other collection lacks, or has with an older text, without dense vectors. Returns their
 * number.
 */
export async function copyMissing(connection: QdrantConnection, from: string, to: string): Promise<number> {
  let copied = 0;
  let offset: string | null = null;
  do {
    const page: Awaited<ReturnType<QdrantClient["scroll"]>> = await connection.run(client =>
      client.scroll(from, {
        limit: PAGE,
        with_payload: true,
        with_vector: [SPARSE],
        offset,
      }),
    );
    const held = await revisionsOf(
      connection,
      to,
      page.points.map(({ id }) => id),
    );
    const missing = page.points.filter(({ id, payload }) => held.get(id) !== (payload as PointPayload).revision);
    const points = missing.map(point => ({ ...point, payload: { ...point.payload, pending: true } }));
    if (points.length > 0) await connection.run(client => client.upsert(to, points));
    copied += points.length;
    offset = page.next_page_offset;
  } while (offset !== null);
  return copied;
}

async function revisionsOf(
  connection: QdrantConnection,
  collection: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const points = await connection.run(client => client.points(collection, ids, { with_payload: ["revision"] }));
  return new Map(points.map(({ id, payload }) => [id, (payload as PointPayload).revision]));
}
