import type { ServiceSchema } from "moleculer";
import { v7 as uuid } from "uuid";
import { config, type LimitName } from "../../config.ts";
import knowledge from "../../services/knowledge/knowledge.service.ts";
import memory from "../../services/memory/memory.service.ts";
import models from "../../services/models/models.service.ts";
import schedules from "../../services/schedules/schedules.service.ts";
import webhooks from "../../services/webhooks/webhooks.service.ts";
import { ownDataDir, refusal, userIdentity, startServices, type ServiceNode, until } from "../support/service-node.ts";

ownDataDir();
const MAX: Record<LimitName, number> = {
  knowledge_bases: 3,
  knowledge_entries: 5,
  knowledge_base_entries: 3,
  knowledge_imports: 1_000,
  knowledge_uploads: 2,
  memories: 4,
  user_memories: 3,
  mcp_servers: 100,
  files: 100_000,
  file_bytes: 1_000_000,
  schedules: 2,
  webhooks: 2,
  credentials: 2,
  signals: 1_000_000,
  members: 10_000,
  executions_per_day: 1_000_000,
  executions_per_month: 1_000_000,
  executions_at_once: 1_000,
  steps_per_month: 1_000_000,
  model_tokens_per_month: 1_000_000,
};
process.env.LIMITS = Object.entries(MAX)
  .map(([name, max]) => `${name}=${max}`)
  .join(", ");

const others: ServiceSchema[] = [
  { name: "workspaces", actions: { roleOf: () => ({ role: "editor", memberId: "m" }) } },
  { name: "audit", actions: { record: () => null } },
  { name: "notifications", actions: { notify: () => ({ notified: 1 }) } },
  { name: "pods", actions: { "spaces.get": () => null, "spaces.exists": () => ({ exists: true }) } },
  { name: "workflows", actions: { runnable: () => ({}) } },
];

let node: ServiceNode;
beforeAll(async () => {
  node = await startServices(knowledge, memory, models, schedules, webhooks, ...others);
});
afterAll(() => node.stop());

const owner = userIdentity();
const full = refusal("limit_reached");
const newBase = async (workspaceId: string) =>
  (await node.act(owner, "knowledge.create", { workspaceId, name: "Base" })).id;

/** Makes as many as there may be, and one more, which is refused. */
async function fill(max: number, make: () => Promise<unknown>): Promise<void> {
  for (let count = 0; count < max; count++) await make();
  await expect(make()).rejects.toEqual(full);
}

describe("the settings", () => {
  it("name every limit", () => expect(config().LIMITS).toEqual(MAX));
});

describe("the usage", () => {
  it("counts by workspace, and for schedules and webhooks in the space with the most", async () => {
    const [workspaceId, workflowId] = [uuid(), uuid()];
    for (const [spaceId, count] of [
      [uuid(), 1],
      [uuid(), 2],
    ] as const) {
      const inside = { workspaceId, spaceId, workflowId };
      for (let n = 0; n < count; n++) {
        await node.act(owner, "schedules.create", { ...inside, cronExpr: "0 0 1 1 *" });
        await node.act(owner, "webhooks.create", inside);
      }
    }
    const id = await newBase(workspaceId);
    await node.act(owner, "knowledge.entries.create", { workspaceId, id, content: "Words" });
    await node.act(owner, "memory.create", { workspaceId, content: "Likes tea" });
    await node.act(userIdentity(), "memory.create", { workspaceId, content: "Likes coffee" });
    const used = async (where: string) => [
      await node.act(null, "schedules.usage", { workspaceId: where }),
      await node.act(null, "webhooks.usage", { workspaceId: where }),
      await node.act(null, "knowledge.usage", { workspaceId: where }),
      await node.act(null, "memory.usage", { workspaceId: where, userId: owner.userId }),
    ];
    expect(await used(workspaceId)).toEqual([
      { schedules: 2 },
      { webhooks: 2 },
      { knowledge_bases: 1, knowledge_entries: 1, knowledge_imports: 0 },
      { memories: 2, user_memories: 1 },
    ]);
    expect(await used(uuid())).toEqual([
      { schedules: 0 },
      { webhooks: 0 },
      { knowledge_bases: 0, knowledge_entries: 0, knowledge_imports: 0 },
      { memories: 0, user_memories: 0 },
    ]);
  });
});

describe("creating one beyond the limit is rejected for", () => {
  it("schedules and webhooks in a space", async () => {
    const [workspaceId, workflowId] = [uuid(), uuid()];
    for (const spaceId of [uuid(), uuid()]) {
      const inside = { workspaceId, spaceId, workflowId };
      await fill(MAX.schedules, () => node.act(owner, "schedules.create", { ...inside, cronExpr: "0 0 1 1 *" }));
      await fill(MAX.webhooks, () => node.act(owner, "webhooks.create", inside));
    }
    const [spaceId, inside] = [uuid(), { workspaceId, workflowId }];
    const { id } = await node.act(owner, "webhooks.create", { ...inside, spaceId });
    await node.act(owner, "webhooks.create", { ...inside, spaceId });
    await node.act(owner, "webhooks.remove", { workspaceId, spaceId, id });
    await node.act(owner, "webhooks.create", { ...inside, spaceId });
  });

  it("knowledge bases, entries in one and in all of them, and running uploads", async () => {
    const workspaceId = uuid();
    const add = (id: string) => node.act(owner, "knowledge.entries.create", { workspaceId, id, content: "Words" });
    const [first, second] = [await newBase(workspaceId), await newBase(workspaceId)];
    await fill(MAX.knowledge_base_entries, () => add(first));
    await fill(MAX.knowledge_entries - MAX.knowledge_base_entries, () => add(second));
    await fill(MAX.knowledge_bases - 2, () => newBase(workspaceId));
    const file = { workspaceId, id: first, name: "a.txt" };
    await fill(MAX.knowledge_uploads, () => node.act(owner, "knowledge.uploads.begin", file));
  });

  it("entries of an import, which fails and makes none", async () => {
    const workspaceId = uuid();
    const id = await newBase(workspaceId);
    const long = "word ".repeat(600_000);
    const file = { workspaceId, id, name: "long.txt", content: long };
    const { id: importId } = await node.act(owner, "knowledge.imports.create", file);
    const get = () => node.act(owner, "knowledge.imports.get", { workspaceId, id, importId });
    await until(async () => (await get()).finishedAt !== null);
    expect(await get()).toMatchObject({ status: "failed", error: { code: "limit_reached" } });
    expect((await node.act(owner, "knowledge.entries.list", { workspaceId, id })).items).toEqual([]);
  });

  it("memories of a user and of a workspace", async () => {
    const workspaceId = uuid();
    const other = userIdentity();
    let count = 0;
    const add = (as: typeof owner) => node.act(as, "memory.create", { workspaceId, content: `Has ${++count} boats` });
    await fill(MAX.user_memories, () => add(owner));
    await fill(MAX.memories - MAX.user_memories, () => add(other));
    const said = node.act(other, "memory.ingest", { workspaceId, content: "I live in Graz." });
    await expect(said).rejects.toEqual(full);
  });
});
