import { v7 as uuid } from "uuid";
import { ImportWork } from "../../services/knowledge/imports/work.ts";
import knowledge from "../../services/knowledge/knowledge.service.ts";
import { fileParts, imports, uploads } from "../../services/knowledge/model.ts";
import { sweepKnowledge } from "../../services/knowledge/remove.ts";
import type { Self } from "../../services/knowledge/service.ts";
import models from "../../services/models/models.service.ts";
import { aroundKnowledge, type Base, newBase as createBase } from "../support/knowledge.ts";
import { ownDataDir, refusal, userIdentity, startServices, type ServiceNode, until } from "../support/service-node.ts";

ownDataDir();

const owner = userIdentity();

let node: ServiceNode;
let service: Self;
beforeAll(async () => {
  node = await startServices(knowledge, models, ...aroundKnowledge());
  service = node.service<Self>("knowledge");
});
afterAll(() => node.stop());

const base64 = (text: string) => Buffer.from(text).toString("base64");
const file = { name: "words.txt", contentType: "text/plain" };
const LATER_MS = 11 * 60_000;
const sweep = (ms: number) => sweepKnowledge.call(service, new Date(Date.now() + ms));

const newBase = () => createBase(node, owner);

const begin = async (base: Base) => (await node.act(owner, "knowledge.uploads.begin", { ...base, ...file })).uploadId;
const append = ({ workspaceId }: Base, uploadId: string, place: number, text: string) =>
  node.act(null, "knowledge.uploads.append", { workspaceId, uploadId, place, base64: base64(text) });
const take = (base: Base, upload: string) => node.act(owner, "knowledge.imports.create", { ...base, ...file, upload });
async function left({ workspaceId }: Base) {
  const count = (spec: typeof uploads | typeof fileParts) =>
    service.store.tenant(spec as typeof fileParts, workspaceId).count({});
  return [await count(uploads), await count(fileParts)];
}

it("is imported from its parts in order, and leaves no parts", async () => {
  const base = await newBase();
  const upload = await begin(base);
  for (const [place, text] of ["One ", "two ", "thr", "ee"].entries()) await append(base, upload, place, text);
  const { id: importId } = await take(base, upload);
  await until(async () => (await node.act(owner, "knowledge.imports.get", { ...base, importId })).finishedAt !== null);
  const { items } = await node.act(owner, "knowledge.entries.list", base);
  expect(items).toMatchObject([{ content: "One two three", metadata: { source: "words.txt" } }]);
  await until(async () => (await left(base)).join() === "0,0");
});

it("accepts each part once and in order, and none after the import has started", async () => {
  const base = await newBase();
  const upload = await begin(base);
  const conflict = refusal("conflict");
  await append(base, upload, 0, "One");
  await expect(append(base, upload, 0, "One")).rejects.toEqual(conflict);
  await expect(append(base, upload, 2, "Three")).rejects.toEqual(conflict);
  await expect(append(base, uuid(), 0, "Nowhere")).rejects.toEqual(conflict);
  await take(base, upload);
  await expect(append(base, upload, 1, "Two")).rejects.toEqual(conflict);
  await expect(take(base, upload)).rejects.toEqual(conflict);
});

/** Between the first two writes of a list, where they do not commit together, there is time for this. */
function inBetween(work: () => Promise<unknown>): void {
  const write = service.store.write.bind(service.store);
  jest.spyOn(service.store, "write").mockImplementationOnce(async ops => {
    const [first] = await write(ops.slice(0, 1));
    await work();
    return [first!, ...(await write(ops.slice(1)))];
  });
}

it("does not count a part that a killed node did not store", async () => {
  const base = await newBase();
  const upload = await begin(base);
  inBetween(() => Promise.reject(new Error("killed")));
  await expect(append(base, upload, 0, "One")).rejects.toThrow();
  const doc = await service.store.tenant(uploads, base.workspaceId).get({ id: upload });
  expect(doc).toMatchObject({ parts: 0, bytes: 0 });
  await node.act(null, "knowledge.uploads.discard", { workspaceId: base.workspaceId, uploadId: upload });
  expect(await left(base)).toEqual([0, 0]);
});

it("keeps no part that arrives while it is discarded", async () => {
  const base = await newBase();
  const { workspaceId } = base;
  const uploadId = await begin(base);
  inBetween(() => node.act(null, "knowledge.uploads.discard", { workspaceId, uploadId }));
  await expect(append(base, uploadId, 0, "One")).rejects.toEqual(refusal("conflict"));
  expect(await left(base)).toEqual([0, 0]);
});

it("can be imported only by its own knowledge base, and only when it is not empty", async () => {
  const [base, other] = [await newBase(), await newBase()];
  const upload = await begin(base);
  const { id: sibling } = await node.act(owner, "knowledge.create", { workspaceId: base.workspaceId, name: "Sibling" });
  for (const elsewhere of [other, { ...base, id: sibling }]) {
    await expect(take(elsewhere, upload)).rejects.toEqual(refusal("conflict"));
  }
  await expect(take(base, upload)).rejects.toMatchObject({ type: "validation_failed" });
  expect(await left(base)).toEqual([0, 0]);
});

it("is rejected before its bytes arrive when the import would be rejected", async () => {
  const base = await newBase();
  const refused = (more: object) => expect(node.act(owner, "knowledge.uploads.begin", { ...base, ...file, ...more }));
  await refused({ id: uuid() }).rejects.toEqual(refusal("not_found"));
  await refused({ contentType: "text/plain; charset=klingon" }).rejects.toEqual(refusal("unsupported_media_type"));
  await refused({ contentType: "image/png" }).rejects.toMatchObject({ type: "validation_failed" });
  for (let count = 0; count < 50; count++) await begin(base);
  await refused({}).rejects.toEqual(refusal("limit_reached"));
});

it("is removed when it is abandoned, and not before", async () => {
  const base = await newBase();
  await append(base, await begin(base), 0, "Left half-way");
  await sweep(0);
  expect(await left(base)).toEqual([1, 1]);
  await sweep(LATER_MS);
  expect(await left(base)).toEqual([0, 0]);
});

it("is removed at once when it is discarded, but not after its import has begun", async () => {
  const base = await newBase();
  const { workspaceId } = base;
  const uploadId = await begin(base);
  await append(base, uploadId, 0, "Given up");
  await node.act(null, "knowledge.uploads.discard", { workspaceId, uploadId });
  expect(await left(base)).toEqual([0, 0]);
  await node.act(null, "knowledge.uploads.discard", { workspaceId, uploadId });
});

it("is kept for its import when a node is killed right after the import was created", async () => {
  const base = await newBase();
  const { workspaceId } = base;
  const upload = await begin(base);
  await append(base, upload, 0, "Taken");
  const { id: importId } = await take(base, upload);
  await until(async () => (await left(base)).join() === "0,0");
  // As it would be had the node been killed before it removed the upload, and before it read the file.
  const all = service.store.tenant(uploads, workspaceId);
  const expired = { taken: true, expiresAt: new Date(0), parts: 1, bytes: 5 };
  await all.insert({ id: upload, workspaceId, knowledgeBaseId: base.id, ...expired });
  const part = { id: uuid(), workspaceId, knowledgeBaseId: base.id, fileId: upload, place: 0, base64: base64("Taken") };
  await service.store.tenant(fileParts, workspaceId).insert(part);
  await sweep(0);
  // The node's own sweep may have come first, and may not have finished.
  await until(async () => (await left(base)).join() === "0,1");
  // And had it been killed before there was an import.
  await service.store.tenant(imports, workspaceId).remove({ id: importId });
  await all.insert({ id: upload, workspaceId, knowledgeBaseId: base.id, ...expired });
  await sweep(0);
  await until(async () => (await left(base)).join() === "0,0");
});

it("is removed with its knowledge base, and with its workspace", async () => {
  for (const deleted of ["knowledge.remove", "knowledge.purge"] as const) {
    const base = await newBase();
    const { workspaceId } = base;
    const upload = await begin(base);
    await append(base, upload, 0, "Of no use");
    if (deleted === "knowledge.remove") await node.act(owner, deleted, base);
    else await node.act(null, deleted, { workspaceId });
    await until(async () => (await left(base)).join() === "0,0");
    await expect(append(base, upload, 1, "more")).rejects.toEqual(refusal("conflict"));
  }
});

it("is searched for again when the hold of a possibly killed node ends", async () => {
  const base = await newBase();
  const upload = await begin(base);
  await append(base, upload, 0, "Held");
  const { id: importId } = await take(base, upload);
  // Also those that other tests have begun.
  const due = { dueAt: { $exists: true } };
  await until(async () => (await service.store.acrossTenants(imports).count(due)) === 0);
  const [all, holdMs] = [service.store.tenant(imports, base.workspaceId), 600_000];
  await all.updateOne({ id: importId }, { $set: { dueAt: new Date(Date.now() + holdMs), holder: uuid() } });
  const dueInMs = await new ImportWork(service).begin();
  expect(dueInMs).toBeGreaterThan(0);
  expect(dueInMs).toBeLessThanOrEqual(holdMs);
  await all.updateOne({ id: importId }, { $unset: { dueAt: true, holder: true } });
  expect(await new ImportWork(service).begin()).toBeUndefined();
});
