import type { ServiceSchema } from "moleculer";
import { v7 as uuid } from "uuid";
import knowledge from "../../services/knowledge/knowledge.service.ts";
import { entries, fileParts, imports } from "../../services/knowledge/model.ts";
import type { KnowledgeService } from "../../services/knowledge/service.ts";
import { pdfWith } from "../support/pdf.ts";
import { ownDataDir, refusal, userIdentity, startServices, type ServiceNode, until } from "../support/service-node.ts";

ownDataDir();

const owner = userIdentity();
const notices: { key: string; title: string }[] = [];
const others: ServiceSchema[] = [
  { name: "workspaces", actions: { roleOf: () => ({ role: "editor", memberId: "m" }) } },
  { name: "audit", actions: { record: () => null } },
  { name: "models", actions: { embedder: () => null } },
  {
    name: "notifications",
    actions: {
      notify(ctx: { params: unknown }) {
        notices.push(ctx.params as (typeof notices)[number]);
        return { notified: 1 };
      },
    },
  },
];
const PAGES = 40;
const contentBase64 = pdfWith(...Array.from({ length: PAGES }, (_, at) => `Page ${at}`)).toString("base64");

let node: ServiceNode;
let service: KnowledgeService;
beforeAll(async () => {
  node = await startServices(knowledge, ...others);
  service = node.service<KnowledgeService>("knowledge");
});
afterAll(() => node.stop());

interface Base {
  workspaceId: string;
  id: string;
}

async function newBase(): Promise<Base> {
  const workspaceId = uuid();
  const { id } = await node.act(owner, "knowledge.create", { workspaceId, name: "Handbook" });
  return { workspaceId, id };
}

const stateOf = (base: Base, importId: string) => node.act(owner, "knowledge.imports.get", { ...base, importId });
const cancel = (base: Base, importId: string) => node.act(owner, "knowledge.imports.cancel", { ...base, importId });
const retry = (base: Base, importId: string) => node.act(owner, "knowledge.imports.retry", { ...base, importId });
const made = ({ workspaceId, id: knowledgeBaseId }: Base) =>
  service.store.tenant(entries, workspaceId).count({ knowledgeBaseId });
const kept = ({ workspaceId, id: knowledgeBaseId }: Base) =>
  service.store.tenant(fileParts, workspaceId).count({ knowledgeBaseId });

/** An import whose file is being read until the gate opens. */
async function heldImport(base: Base) {
  const read = service.documents.read.bind(service.documents);
  const [begun, gate, over] = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const reading = jest.spyOn(service.documents, "read").mockImplementationOnce(async (...given) => {
    begun!.resolve();
    await gate!.promise;
    return read(...given).finally(() => over!.resolve());
  });
  const { id } = await node.act(owner, "knowledge.imports.create", { ...base, name: "a.pdf", contentBase64 });
  await begun!.promise;
  const letGo = async () => {
    gate!.resolve();
    await over!.promise;
    reading.mockRestore();
  };
  return { id, letGo };
}

it("stops making entries when an import is cancelled, and can retry it", async () => {
  const base = await newBase();
  const { id, letGo } = await heldImport(base);
  const cancelled = await cancel(base, id);
  expect(cancelled).toMatchObject({ status: "cancelled", error: null });
  expect(Date.parse(cancelled.retryUntil!)).toBeGreaterThan(Date.now());
  expect(await cancel(base, id)).toEqual(cancelled);
  await letGo();
  // The next import of the node proves that it has let go of this one.
  const next = await newBase();
  const { id: other } = await node.act(owner, "knowledge.imports.create", { ...next, name: "b.txt", content: "b" });
  await until(async () => (await stateOf(next, other)).status === "completed");
  expect(await stateOf(base, id)).toMatchObject({ status: "cancelled", entriesDone: 0 });
  expect(await made(base)).toBe(0);

  expect(await retry(base, id)).toMatchObject({ status: "pending", retryUntil: null, finishedAt: null });
  await until(async () => (await stateOf(base, id)).status === "completed");
  const whole = await made(base);
  expect(whole).toBe(PAGES);
  await until(async () => (await kept(base)) === 0);
  await expect(retry(base, id)).rejects.toEqual(refusal("import_not_kept"));
  await until(() => notices.some(({ key }) => key === `knowledge-import:${id}:1`));
  expect(notices.filter(({ key }) => key.includes(id))).toHaveLength(1);
});

it("makes nothing twice when another node retries an import that a node still works on", async () => {
  const base = await newBase();
  const { id, letGo } = await heldImport(base);
  await cancel(base, id);
  await retry(base, id);
  await until(async () => (await stateOf(base, id)).status === "completed");
  const whole = await made(base);
  await letGo();
  expect(await stateOf(base, id)).toMatchObject({ status: "completed", entriesDone: whole });
  expect(await made(base)).toBe(whole);
});

it("keeps the file of a failed import until its retention time is over", async () => {
  const base = await newBase();
  const file = { ...base, name: "broken.pdf", contentBase64: Buffer.from("no PDF").toString("base64") };
  const { id } = await node.act(owner, "knowledge.imports.create", file);
  await until(async () => (await stateOf(base, id)).status === "failed");
  expect(await kept(base)).toBe(1);
  await retry(base, id);
  await until(async () => (await stateOf(base, id)).status === "failed");
  const own = service.store.tenant(imports, base.workspaceId);
  await own.updateOne({ id }, { $set: { fileUntil: new Date() } });
  await expect(retry(base, id)).rejects.toEqual(refusal("import_not_kept"));
  service.sweeper.soon();
  await until(async () => (await stateOf(base, id)).retryUntil === null);
  expect(await kept(base)).toBe(0);
});
