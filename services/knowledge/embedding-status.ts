import type { WithStore } from "../../service-kit/store.mixin.ts";
import { isComplete, withVectors } from "../../core/knowledge/passages.ts";
import { indexEntriesOf, placeOf } from "../../core/knowledge/index-entries.ts";
import { byWorkspace, type DocumentRef } from "../../service-kit/indexed-documents.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { indexWords } from "./add-entry.ts";
import { type EntryDoc, entries } from "./model.ts";
import type { Self } from "./service.ts";

const READY = { $set: { embeddingStatus: "ready" as const }, $unset: { pendingSince: true as const } };
/** Conflicts occur when several nodes embed the same entry at the same time. */
const MAX_TRIES = 20;
const READ = 20;

async function note({ store }: WithStore, { id, workspaceId }: EntryDoc, places: ReadonlySet<number>): Promise<void> {
  const all = store.tenant(entries, workspaceId);
  for (let count = 0; count < MAX_TRIES; count++) {
    const entry = await all.get({ id, ...ALIVE });
    if (!entry) return;
    const vectors = withVectors(entry.vectors, places);
    if (vectors === entry.vectors && entry.embeddingStatus === "ready") return;
    const change = isComplete(vectors) ? { ...READY, $set: { ...READY.$set, vectors } } : { $set: { vectors } };
    if (await all.updateOne({ id, vectors: entry.vectors }, change)) return;
  }
}

/** Records that these passages have vectors. An entry is ready once all of its passages have vectors. */
export async function noteVectors(self: WithStore, passages: readonly DocumentRef[]): Promise<void> {
  for (const [workspaceId, own] of byWorkspace(passages)) {
    const all = self.store.tenant(entries, workspaceId);
    const places = Map.groupBy(own, ({ id }) => placeOf(id).entryId);
    const ids = [...places.keys()];
    // Nearly all entries have one passage, so they need no read before the update.
    await all.updateMany(
      { id: { $in: ids }, vectors: "0", ...ALIVE },
      { $set: { ...READY.$set, vectors: "1" }, $unset: READY.$unset },
    );
    for (let from = 0; from < ids.length; from += READ) {
      const some = ids.slice(from, from + READ);
      const { items } = await all.find({ id: { $in: some }, vectors: { $nin: ["0", "1"] }, ...ALIVE }, { limit: READ });
      for (const entry of items) {
        await note(self, entry, new Set(places.get(entry.id)?.map(({ id }) => placeOf(id).place)));
      }
    }
  }
}

/** Records that the model refused these passages. */
export async function noteFailed({ store }: WithStore, passages: readonly DocumentRef[]): Promise<void> {
  for (const [workspaceId, own] of byWorkspace(passages)) {
    const ids = [...new Set(own.map(({ id }) => placeOf(id).entryId))];
    const change = { $set: { embeddingStatus: "failed" as const }, $unset: { pendingSince: true as const } };
    await store.tenant(entries, workspaceId).updateMany({ id: { $in: ids }, ...ALIVE }, change);
  }
}

/** The age from which the sweep checks a pending entry. */
const LATE_MS = 30_000;
const MAX_LATE = 500;

/**
 * Repairs what a killed node left: entries that are missing in the index, and entries whose vectors exist although
 * their status is pending. An entry is of the second kind if none of its texts waits for a vector.
 */
export async function sweepPending(self: Self, now: Date): Promise<void> {
  const late = { pendingSince: { $lte: new Date(now.getTime() - LATE_MS) } };
  const all = self.store.acrossTenants(entries);
  if ((await all.count(late, { limit: 1 })) === 0) return;
  const waiting = await self.search.unembedded("knowledge", 1);
  let after: string | null = null;
  for (let read = 0; read < MAX_LATE; read += READ) {
    const page: { items: EntryDoc[]; next: string | null } = await all.find(late, {
      sort: { pendingSince: 1 },
      limit: READ,
      after,
    });
    for (const entry of page.items) {
      const refs = indexEntriesOf(entry).map(({ id }) => ({ workspaceId: entry.workspaceId, id }));
      const held = await self.search.held("knowledge", refs);
      if (held.length < refs.length) await indexWords(self, entry);
      else if (waiting.length === 0) await noteVectors(self, refs);
    }
    after = page.next;
    if (after === null) break;
  }
  self.embeddings.soon();
}
