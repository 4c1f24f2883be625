import { Schema } from "../../adapters/store/schema.ts";
import type { Service } from "moleculer";
import { collectionOfSchema } from "../../adapters/store/define-collection.ts";
import type { IndexedDocuments } from "../../service-kit/indexed-documents.ts";
import { searchMixin, type WithSearch } from "../../service-kit/search.mixin.ts";
import { storeMixin, type WithStore } from "../../service-kit/store.mixin.ts";
import { ownDataDir, startServices, until } from "../support/service-node.ts";
import { idsOf } from "./bench.ts";

ownDataDir();

interface Note {
  id: string;
  workspaceId?: string;
  title: string;
}
type Self = Service & WithStore & WithSearch;

const notes = collectionOfSchema<Note>({
  name: "notes",
  tenant: true,
  schema: new Schema({ title: { type: String, required: true } }),
});

const indexed: IndexedDocuments<Self> = {
  kind: "knowledge",
  embedder: () => Promise.resolve({ id: "length", dimension: 2 }),
  embed: texts => Promise.resolve(texts.map(text => [text.length, 1])),
  async documents(after) {
    const { items, next } = await this.store.acrossTenants(notes).find({}, { limit: 100, after });
    return { items: items.map(({ id, workspaceId = "", title }) => ({ id, workspaceId, text: title })), next };
  },
  async existing(refs) {
    const filter = { id: { $in: refs.map(({ id }) => id) } };
    const { items } = await this.store.acrossTenants(notes).find(filter, { limit: 1000 });
    return items.map(({ id, workspaceId = "" }) => ({ id, workspaceId }));
  },
};

const start = () => startServices({ name: "notes", mixins: [searchMixin(indexed), storeMixin([notes])] });

test("documents of a service are found by words at once, by meaning soon, and after every kind of failure", async () => {
  const node = await start();
  const { store, search, embeddings } = node.service<WithStore & WithSearch>("notes");
  const own = store.tenant(notes, "w");
  const index = search.tenant("knowledge", "w");
  await store.write([
    own.ops.insert({ id: "a", title: "green tea" }),
    ...index.ops.put({ id: "a", text: "green tea" }),
  ]);
  expect(idsOf(await index.search({ text: "tea", limit: 5 }))).toEqual(["a"]);
  embeddings.soon();
  const byMeaning = async () => idsOf(await index.search({ vector: { embedder: "length", values: [9, 1] }, limit: 5 }));
  await until(async () => (await search.embedders("knowledge")).active !== null && (await byMeaning()).length === 1);
  // One that the index never heard of, and one whose document went without it.
  await own.insert({ id: "b", title: "black tea" });
  await own.remove({ id: "a" });
  await node.stop();

  const again = await start();
  const { search: later } = again.service<WithSearch>("notes");
  const found = async () => idsOf(await later.tenant("knowledge", "w").search({ text: "tea", limit: 5 }));
  await until(async () => (await found()).join() === "b");
  await again.stop();
  await expect(found()).rejects.toMatchObject({ code: "search_unavailable" });
});
