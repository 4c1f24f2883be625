import type { UnembeddedEntry } from "../../adapters/search/port.ts";
import type { Memory } from "../../contracts/entities/memory.ts";
import { byWorkspace, type DocumentRef, type IndexedDocuments } from "../../service-kit/indexed-documents.ts";
import { currentEmbedder, vectorsOf } from "../../service-kit/model-vectors.ts";
import { memories } from "./model.ts";
import type { MemoryService } from "./service.ts";
import { entryOf } from "./write.ts";

const PAGE = 500;

async function note(
  { store }: MemoryService,
  entries: readonly UnembeddedEntry[],
  embeddingStatus: Memory["embeddingStatus"],
): Promise<void> {
  for (const [workspaceId, some] of byWorkspace(entries)) {
    const ids = some.map(({ id }) => id);
    await store.tenant(memories, workspaceId).updateMany({ id: { $in: ids } }, { $set: { embeddingStatus } });
  }
}

/** The index contains current memories only. */
export const indexedMemories: IndexedDocuments<MemoryService> = {
  kind: "memory",
  embedder() {
    return currentEmbedder(this);
  },
  embed(texts) {
    return vectorsOf(this, texts);
  },
  async documents(after) {
    const { items, next } = await this.store.acrossTenants(memories).find({}, { limit: PAGE, after });
    const current = items.filter(({ supersededById }) => !supersededById);
    return { items: current.map(doc => ({ workspaceId: doc.workspaceId, ...entryOf(doc) })), next };
  },
  async existing(refs) {
    const there: DocumentRef[] = [];
    for (const [workspaceId, some] of byWorkspace(refs)) {
      const ids = some.map(({ id }) => id);
      const docs = this.store.tenant(memories, workspaceId);
      const { items } = await docs.find({ id: { $in: ids } }, { limit: ids.length });
      const current = items.filter(({ supersededById }) => !supersededById);
      there.push(...current.map(({ id }) => ({ workspaceId, id })));
    }
    return there;
  },
  embedded(entries) {
    return note(this, entries, "ready");
  },
  failed(entries) {
    return note(this, entries, "failed");
  },
};
