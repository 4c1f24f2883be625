import { v7 as uuid } from "uuid";
import knowledge from "../../services/knowledge/knowledge.service.ts";
import { fileParts, imports } from "../../services/knowledge/model.ts";
import type { KnowledgeService } from "../../services/knowledge/service.ts";
import models from "../../services/models/models.service.ts";
import { aroundKnowledge, type Base, newBase, type Notice } from "../support/knowledge.ts";
import { pdfBomb, pdfWith } from "../support/pdf.ts";
import { ownDataDir, userIdentity, startServices, type ServiceNode, until } from "../support/service-node.ts";

ownDataDir();

const owner = userIdentity();
const notices: Notice[] = [];

let node: ServiceNode;
let service: KnowledgeService;
beforeAll(async () => {
  node = await startServices(knowledge, models, ...aroundKnowledge(notices));
  service = node.service<KnowledgeService>("knowledge");
});
afterAll(() => node.stop());

async function imported(base: Base, file: object) {
  const { id: importId } = await node.act(owner, "knowledge.imports.create", { ...base, name: "file", ...file });
  const get = () => node.act(owner, "knowledge.imports.get", { ...base, importId });
  await until(async () => (await get()).finishedAt !== null);
  const { items } = await node.act(owner, "knowledge.entries.list", base);
  return { done: await get(), items };
}

it("makes entries of text, Markdown, HTML and PDF", async () => {
  const texts = [
    { name: "a.txt", content: "Plain words" },
    { name: "b.md", content: "# Title\r\n\r\nWords" },
    { name: "c.html", content: "<title>T</title><h1>Head</h1><p>One <b>bold</b> word.<script>no()</script>" },
    { name: "e.csv", content: 'name;price\n"Bell; small";4' },
  ];
  const expected = [
    { content: "Plain words", metadata: { source: "a.txt", lang: "en" } },
    { content: "# Title\n\nWords", metadata: { source: "b.md", lang: "en" } },
    { content: "# Head\n\nOne bold word.", metadata: { source: "c.html", title: "T", lang: "en" } },
    { content: "name: Bell; small\nprice: 4", metadata: { source: "e.csv", lang: "en" } },
  ];
  for (const [at, file] of texts.entries()) {
    const base = await newBase(node, owner);
    const { done, items } = await imported(base, { ...file, metadata: { lang: "en" } });
    expect(done).toMatchObject({ status: "completed", entriesTotal: 1, entriesDone: 1, error: null });
    expect(items).toMatchObject([expected[at]]);
  }
  const base = await newBase(node, owner);
  const contentBase64 = pdfWith("The first page", "", "The third page").toString("base64");
  const { items } = await imported(base, { name: "d.pdf", contentBase64 });
  expect(items.map(({ content, metadata }) => [content, metadata.page])).toEqual([
    ["The third page", 3],
    ["The first page", 1],
  ]);
  const [match] = await node.act(owner, "knowledge.searchByKeywords", { ...base, query: "first page" });
  expect(match!.metadata).toEqual({ source: "d.pdf", title: "A title", page: 1 });
  await until(() => notices.some(({ title }) => title === "Imported: d.pdf"));
  expect(notices.find(({ title }) => title === "Imported: d.pdf")).toMatchObject({
    type: "import_finished",
    body: "It made 2 entries.",
    to: { userIds: [owner.userId] },
  });
});

const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes as string).toString("base64");
it.each([
  ["no PDF", { name: "a.pdf", contentBase64: base64("hello") }, "file_unreadable"],
  ["a PDF that unpacks to hundreds of megabytes", { name: "a.pdf", bomb: " " }, "file_too_complex"],
  ["a PDF with words without an end", { name: "a.pdf", bomb: "BT /F1 12 Tf 1 0 Td (x) Tj ET\n" }, "file_too_large"],
  ["a page nested too deeply", { name: "a.html", content: "<div>".repeat(100_000) }, "file_too_complex"],
  ["bytes that are no text", { name: "a.txt", contentBase64: base64(new Uint8Array([255, 0, 1])) }, "file_unreadable"],
  ["a page without words", { name: "a.html", content: "<script>x</script>" }, "file_without_text"],
])("fails with a reason for %s", async (_, { bomb, ...file }: { bomb?: string; name: string }, code) => {
  const base = await newBase(node, owner);
  const given = bomb ? { contentBase64: pdfBomb(bomb === " " ? 450 : 8, bomb).toString("base64") } : {};
  const { done, items } = await imported(base, { ...file, ...given });
  expect(done).toMatchObject({ status: "failed", error: { code } });
  expect(items).toEqual([]);
});

it.each([
  [{ name: "a.exe", content: "x" }, "contentType"],
  [{ name: "a.txt", content: "x", contentType: "image/png" }, "contentType"],
  [{ name: "a.txt" }, "content"],
  [{ name: "a.txt", content: "x", contentBase64: "eA==" }, "content"],
  [{ name: "a.txt", contentBase64: "%" }, "contentBase64"],
])("is rejected for %j", async (file, path) => {
  const base = await newBase(node, owner);
  await expect(node.act(owner, "knowledge.imports.create", { ...base, ...file })).rejects.toMatchObject({
    type: "validation_failed",
    data: { errors: [{ path: `/${path}` }] },
  });
});

it("runs concurrently with a few others, and is not delayed by other workspaces", async () => {
  const read = service.documents.read.bind(service.documents);
  const gate = Promise.withResolvers<void>();
  const begun: string[] = [];
  const held = uuid();
  const reading = jest.spyOn(service.documents, "read").mockImplementation(async (file, group) => {
    begun.push(group);
    if (group === held) await gate.promise;
    return read(file, group);
  });
  const [many, one] = [await newBase(node, owner, held), await newBase(node, owner)];
  const made = [];
  for (const name of ["a.txt", "b.txt", "c.txt", "d.txt"])
    made.push(await node.act(owner, "knowledge.imports.create", { ...many, name, content: name }));
  await until(() => begun.length === 2);
  expect((await imported(one, { name: "e.txt", content: "Not held up" })).done.status).toBe("completed");
  expect(begun).toEqual([held, held, one.workspaceId]);
  gate.resolve();
  for (const { id: importId } of made) {
    const done = async () => (await node.act(owner, "knowledge.imports.get", { ...many, importId })).status;
    await until(async () => (await done()) === "completed");
  }
  reading.mockRestore();
});

it("continues after its node is killed, and makes no entry twice", async () => {
  const base = await newBase(node, owner);
  const first = await imported(base, { name: "a.txt", content: "Only once" });
  const { workspaceId } = base;
  const { id } = first.done;
  await until(
    async () => (await service.store.tenant(fileParts, workspaceId).count({ knowledgeBaseId: base.id })) === 0,
  );
  const part = { id, fileId: id, place: 0, workspaceId, knowledgeBaseId: base.id, base64: base64("Only once") };
  await service.store.tenant(fileParts, workspaceId).insert(part);
  const running = { status: "running" as const, finishedAt: null, dueAt: new Date(), holder: uuid() };
  await service.store.tenant(imports, workspaceId).updateOne({ id }, { $set: running });
  service.importing.soon();
  await until(
    async () => (await service.store.tenant(fileParts, workspaceId).count({ knowledgeBaseId: base.id })) === 0,
  );
  const { items } = await node.act(owner, "knowledge.entries.list", base);
  expect(items.map(({ id: entryId }) => entryId)).toEqual(first.items.map(({ id: entryId }) => entryId));
});
