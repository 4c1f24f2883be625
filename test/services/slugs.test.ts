import { v7 as uuid } from "uuid";
import type { Service } from "moleculer";
import type { Identity } from "../../contracts/entities/user.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { schedules as scheduleDocs } from "../../services/schedules/model.ts";
import schedules from "../../services/schedules/schedules.service.ts";
import pods from "../../services/pods/pods.service.ts";
import { webhooks as webhookDocs } from "../../services/webhooks/model.ts";
import webhooks from "../../services/webhooks/webhooks.service.ts";
import { workflows as workflowDocs } from "../../services/workflows/model.ts";
import workflows from "../../services/workflows/workflows.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import {
  newScope,
  outcomes,
  ownDataDir,
  refusal,
  type Scope,
  type ServiceNode,
  userIdentity,
  startServices,
} from "../support/service-node.ts";

ownDataDir();

let node: ServiceNode;
beforeAll(async () => void (node = await startServices(workspaces, pods, workflows, schedules, webhooks)));
afterAll(() => node.stop());

let ada: Identity;
let scope: Scope;
beforeEach(async () => {
  ada = userIdentity();
  scope = await newScope(node, ada);
});

const create = (more: object) => node.act(ada, "workflows.create", { ...scope, name: "Ünpaid bills", ...more });
const get = (id: string) => node.act(ada, "workflows.get", { ...scope, id });
const cronExpr = "0 4 * * *";

test("a workflow gets a slug of its name, keeps it when it is renamed, and frees it when it is deleted", async () => {
  const first = await create({});
  expect(first.slug).toBe("unpaid-bills");
  const second = await create({});
  expect(second.slug).toMatch(/^unpaid-bills-[0-9a-f]{6}$/);
  await node.act(ada, "workflows.update", { ...scope, id: first.id, name: "Paid bills" });
  expect((await get(first.id)).slug).toBe("unpaid-bills");
  const copy = await node.act(ada, "workflows.duplicate", { ...scope, fromSpaceId: scope.spaceId, id: first.id });
  expect(copy.slug).toBe("paid-bills-copy");
  await node.act(ada, "workflows.trash", { ...scope, id: first.id });
  await expect(create({ slug: "unpaid-bills" })).rejects.toEqual(refusal("slug_taken"));
  await node.act(ada, "workflows.remove", { ...scope, id: first.id });
  expect((await create({ slug: "unpaid-bills" })).slug).toBe("unpaid-bills");
  expect((await create({ name: "支払い" })).slug).toBe("workflow");
});

test("lets one of many concurrent creations have a slug, and without a slug gives each its own", async () => {
  const starts = Array.from({ length: 20 }, () => create({ slug: "once" }));
  expect(await outcomes(starts)).toEqual(["ok", "slug_taken"]);
  const made = await Promise.all(Array.from({ length: 20 }, () => create({ name: "Many" })));
  expect(new Set(made.map(({ slug }) => slug)).size).toBe(20);
  // A refused creation leaves no version behind.
  const { items } = await node.act(ada, "workflows.list", { ...scope, limit: 100 });
  expect(items).toHaveLength(21);
});

test("the same slug is free in another space", async () => {
  await create({ slug: "same" });
  const space = await node.act(ada, "pods.spaces.create", { workspaceId: scope.workspaceId, name: "Other" });
  expect((await create({ slug: "same", spaceId: space.id })).slug).toBe("same");
});

test("schedules and webhooks have slugs of their own kind", async () => {
  const { id: workflowId } = await create({});
  const at = { ...scope, workflowId };
  const daily = await node.act(ada, "schedules.create", { ...at, cronExpr });
  expect(daily.slug).toBe("unpaid-bills");
  expect((await node.act(ada, "schedules.create", { ...at, cronExpr })).slug).toMatch(/^unpaid-bills-/);
  const taken = node.act(ada, "schedules.create", { ...at, cronExpr, slug: "unpaid-bills" });
  await expect(taken).rejects.toEqual(refusal("slug_taken"));
  const hook = await node.act(ada, "webhooks.create", { ...at, name: "GitHub", slug: "pushes" });
  expect(hook.slug).toBe("pushes");
  await node.act(ada, "webhooks.update", { ...scope, id: hook.id, name: "GitLab" });
  expect((await node.act(ada, "webhooks.get", { ...scope, id: hook.id })).slug).toBe("pushes");
});

test("gives items of an earlier version their slugs when they are read, oldest first", async () => {
  const [first, second] = [await create({}), await create({})];
  const at = { ...scope, workflowId: first.id };
  const daily = await node.act(ada, "schedules.create", { ...at, cronExpr, slug: "x" });
  const hook = await node.act(ada, "webhooks.create", { ...at, name: "GitHub", slug: "y" });
  const { store } = node.service<Service & WithStore>("workflows");
  const unset = { $unset: { slug: true } } as const;
  for (const { id } of [first, second]) await store.tenant(workflowDocs, scope.workspaceId).updateOne({ id }, unset);
  await store.tenant(scheduleDocs, scope.workspaceId).updateOne({ id: daily.id }, unset);
  await store.tenant(webhookDocs, scope.workspaceId).updateOne({ id: hook.id }, unset);
  const read = async () => {
    const lists = await Promise.all([
      node.act(ada, "workflows.list", scope),
      node.act(ada, "schedules.list", scope),
      node.act(ada, "webhooks.listAll", { workspaceId: scope.workspaceId }),
    ]);
    return lists.map(({ items }) => (items as { slug?: string }[]).map(({ slug }) => slug));
  };
  const given = await read();
  expect(given).toEqual([[expect.stringMatching(/^unpaid-bills-/), "unpaid-bills"], ["unpaid-bills"], ["github"]]);
  expect(await read()).toEqual(given);
  expect((await get(first.id)).slug).toBe("unpaid-bills");
});

test("an invalid slug is rejected", async () => {
  for (const slug of ["", "..", "a/b", "A", "a--b", "x".repeat(81), uuid().toUpperCase()]) {
    await expect(create({ slug })).rejects.toEqual(refusal("validation_failed"));
  }
});
