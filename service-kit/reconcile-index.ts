import type { Search } from "../adapters/search/port.ts";
import { revisionOf } from "../adapters/search/revision.ts";
import { tagsOf, type Payload } from "../core/search/payload.ts";
import { counter } from "../telemetry/instruments.ts";
import { byWorkspace, keyOf, type IndexedDocuments } from "./indexed-documents.ts";

const repairs = counter("weft_index_repairs_total");

const PAGE = 500;
/** A bound for the loops. No installation has this many pages. */
const MAX_PAGES = 1_000_000;

type Page = Awaited<ReturnType<IndexedDocuments<unknown>["documents"]>>;

const sameTags = (a: Payload, b: Payload): boolean => tagsOf(a).sort().join("\n") === tagsOf(b).sort().join("\n");

/**
 * Repairs the index from the documents in both directions: adds missing and outdated entries, and removes entries
 * without a document. It works page by page, so that other work gets its turn, and tolerates running twice at the same
 * time.
 */
export async function reconcileIndex<Self>(
  search: Search,
  source: IndexedDocuments<Self>,
  self: Self,
  signal: AbortSignal,
): Promise<{ put: number; removed: number; filled: boolean }> {
  // This precedes the first entry, because a server's index needs an embedder to exist. Keywords need none, so the
  // model may be unavailable.
  const embedder = await source.embedder.call(self).catch(() => null);
  if (embedder) await search.useEmbedder(source.kind, embedder);
  // This is read before the first document. An index that is rebuilt later lacks the documents of earlier pages.
  const making = await search.begun(source.kind);
  const put = await putMissing(search, source, self, signal);
  const filled = making !== null && !signal.aborted;
  if (filled) await search.filled(source.kind, making);
  const removed = await removeOrphans(search, source, self, signal);
  repairs(source.kind, "put").add(put);
  repairs(source.kind, "removed").add(removed);
  return { put, removed, filled };
}

async function putMissing<Self>(
  search: Search,
  source: IndexedDocuments<Self>,
  self: Self,
  signal: AbortSignal,
): Promise<number> {
  let put = 0;
  let after: string | null = null;
  for (let page = 0; page < MAX_PAGES && !signal.aborted; page++) {
    const { items, next }: Page = await source.documents.call(self, after);
    const held = new Map((await search.held(source.kind, items)).map(entry => [keyOf(entry), entry]));
    const wrong = items.filter(item => {
      const entry = held.get(keyOf(item));
      return (
        !entry ||
        entry.revision !== revisionOf(item.text.toWellFormed()) ||
        !sameTags(entry.payload, item.payload ?? {})
      );
    });
    for (const [workspaceId, entries] of byWorkspace(wrong)) {
      await search
        .tenant(source.kind, workspaceId)
        .put(entries.map(({ id, text, payload }) => ({ id, text, ...(payload && { payload }) })));
    }
    put += wrong.length;
    if (next === null) break;
    after = next;
  }
  return put;
}

async function removeOrphans<Self>(
  search: Search,
  source: IndexedDocuments<Self>,
  self: Self,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  let after: string | null = null;
  for (let page = 0; page < MAX_PAGES && !signal.aborted; page++) {
    const { items, next }: Awaited<ReturnType<Search["entries"]>> = await search.entries(source.kind, after, PAGE);
    // The documents are read after the entries, so that those of entries written in between exist.
    const refs = items.map(({ workspaceId, id }) => ({ workspaceId, id }));
    const there = new Set(refs.length > 0 ? (await source.existing.call(self, refs)).map(keyOf) : []);
    const orphans = refs.filter(ref => !there.has(keyOf(ref)));
    for (const [workspaceId, entries] of byWorkspace(orphans))
      await search.tenant(source.kind, workspaceId).remove(entries.map(({ id }) => id));
    removed += orphans.length;
    if (next === null) break;
    after = next;
  }
  return removed;
}
