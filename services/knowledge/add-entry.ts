import { chunksOf } from "../../core/knowledge/chunks.ts";
import { indexEntriesOf, passagesAtOnce } from "../../core/knowledge/index-entries.ts";
import { noVectors } from "../../core/knowledge/passages.ts";
import { ensureLimit } from "../../service-kit/limit.ts";
import { insertOnce } from "../../service-kit/insert-once.ts";
import { type EntryDoc, entries } from "./model.ts";
import type { Self } from "./service.ts";

type NewEntry = Pick<EntryDoc, "id" | "workspaceId" | "knowledgeBaseId" | "content" | "metadata" | "createdAt">;

const bytesOf = ({ content, metadata }: NewEntry) =>
  Buffer.byteLength(content) + Buffer.byteLength(JSON.stringify(metadata));

const pending = ({ content }: NewEntry) => ({
  embeddingStatus: "pending" as const,
  vectors: noVectors(chunksOf(content).length),
  pendingSince: new Date(),
});

/** Makes the entry's passages searchable by keywords. Passages that are already indexed do not change. */
export async function indexWords({ search }: Pick<Self, "search">, entry: NewEntry): Promise<void> {
  const index = search.tenant("knowledge", entry.workspaceId);
  const passages = indexEntriesOf(entry);
  const batch = passagesAtOnce(passages);
  for (let from = 0; from < passages.length; from += batch) await index.put(passages.slice(from, from + batch));
}

/**
 * Checks that this many more entries fit into a base.
 * @throws {AppError} limit_reached when they do not
 */
export async function ensureEntryRoom({ store }: Self, workspaceId: string, knowledgeBaseId: string, wanted = 1) {
  const all = store.tenant(entries, workspaceId);
  await ensureLimit("knowledge_base_entries", knowledgeBaseId, all, { knowledgeBaseId }, wanted);
  await ensureLimit("knowledge_entries", workspaceId, all, {}, wanted);
}

async function stored({ store }: Self, entry: NewEntry): Promise<EntryDoc> {
  const all = store.tenant(entries, entry.workspaceId);
  const { id, knowledgeBaseId } = entry;
  const doc = { ...entry, bytes: bytesOf(entry), ...pending(entry) };
  const former = await insertOnce(
    () => all.insert(doc),
    () => all.get({ id, knowledgeBaseId }),
  );
  return former ?? doc;
}

/**
 * Stores an entry and makes it searchable by keywords at once. Its vectors follow later. If an entry with the same id
 * exists, it does not change. If the index is unavailable, the sweep indexes the entry later.
 */
export async function addEntry(self: Self, entry: NewEntry): Promise<EntryDoc> {
  const doc = await stored(self, entry);
  try {
    await indexWords(self, doc);
  } catch (error) {
    self.warn("An entry could not be indexed; Weft tries again.", error);
  }
  return doc;
}
