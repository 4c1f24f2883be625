import { indexEntriesOf, placeOf } from "../../core/knowledge/index-entries.ts";
import type { DocumentRef, IndexedDocuments } from "../../service-kit/indexed-documents.ts";
import { currentEmbedder, vectorsOf } from "../../service-kit/model-vectors.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { noteFailed, noteVectors } from "./embedding-status.ts";
import { entries } from "./model.ts";
import type { Self } from "./service.ts";

/** The number of entries that are read together. Each may be large. */
const READ = 20;
/** The number of passages of a page. The last entry may exceed it, so it is half of the allowed page. */
const PAGE = 500;

/** Passages of entries, in the form of the index. */
export const indexedPassages: IndexedDocuments<Self> = {
  kind: "knowledge",

  embedder() {
    return currentEmbedder(this);
  },

  embed(texts) {
    return vectorsOf(this, texts);
  },

  async documents(after) {
    const filter = { ...ALIVE, ...(after !== null && { id: { $gt: after } }) };
    const page = await this.store.acrossTenants(entries).find(filter, { limit: READ });
    const items: (DocumentRef & { text: string; payload: ReturnType<typeof indexEntriesOf>[number]["payload"] })[] = [];
    let last = after;
    for (const entry of page.items) {
      if (items.length >= PAGE) return { items, next: last };
      const { workspaceId } = entry;
      items.push(...indexEntriesOf(entry).map(passage => ({ workspaceId, ...passage })));
      last = entry.id;
    }
    return { items, next: page.next === null ? null : last };
  },

  async existing(refs) {
    const entryOf = ({ id }: DocumentRef) => placeOf(id).entryId;
    const ids = [...new Set(refs.map(entryOf))];
    const all = this.store.acrossTenants(entries);
    const there = new Set<string>();
    for (let from = 0; from < ids.length; from += READ) {
      const some = ids.slice(from, from + READ);
      const { items } = await all.find({ id: { $in: some }, ...ALIVE }, { limit: READ });
      for (const { workspaceId, id } of items) there.add(`${workspaceId} ${id}`);
    }
    return refs.filter(ref => there.has(`${ref.workspaceId} ${entryOf(ref)}`));
  },

  embedded(passages) {
    return noteVectors(this, passages);
  },

  failed(passages) {
    return noteFailed(this, passages);
  },
};
