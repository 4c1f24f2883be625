import { existsSync, readdirSync, readFileSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { openFolderStage, type FolderStage } from "../support/folder.ts";

let place: FolderStage;
beforeEach(async () => void (place = await openFolderStage()));
afterEach(() => place.remove());

const giving = (value: unknown) => definition([gives("a", value)]);
const workflow = (name: string, value: unknown) => ({
  ...{ format: "weft-workflow", version: 1, name, description: "" },
  definition: giving(value),
});
const post = async (path: string, body: Json): Promise<Json> => {
  const answer = await place.api.post(`${place.space}/${path}`, body);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};
const list = async (path: string): Promise<Json[]> => (await place.api.get(`${place.space}/${path}`)).body as Json[];

it("pulls schedules, webhooks without secrets and variables, and pushes changes of them", async () => {
  const { id: workflowId } = await post("workflows", { name: "Orders", definition: giving(1) });
  const schedule = await post("schedules", { workflowId, cronExpr: "0 9 * * mon", timezone: "Europe/Berlin" });
  const secret = "whsec-9d1c7f0a5b3e";
  const webhook = await post("webhooks", {
    workflowId,
    name: "GitHub",
    auth: { type: "hmac", preset: "github", secret },
  });
  await place.api.patch(`${place.space}/variables`, { set: { shop: "https://shop.example", limit: 3 } });
  const ada = place.person("ada");
  const pulled = ["+ schedules/orders", "+ variables", "+ webhooks/github", "+ workflows/orders"];
  expect(await ada.ok("pull")).toEqual(pulled);
  expect(ada.read("schedules/orders")).toEqual({
    ...{ format: "weft-schedule", version: 1, workflow: "orders", cronExpr: "0 9 * * mon", timezone: "Europe/Berlin" },
    ...{ enabled: true, input: null },
  });
  expect(ada.read("webhooks/github")).toEqual({
    ...{ format: "weft-webhook", version: 1, name: "GitHub", workflow: "orders", enabled: true },
    auth: { type: "hmac", preset: "github" },
    ...{ methods: ["POST"], respond: { mode: "execution" }, keepRaw: false },
  });
  expect(ada.read("variables").values).toEqual({ shop: "https://shop.example", limit: 3 });
  const all = readdirSync(ada.folder, { recursive: true, encoding: "utf8" }).filter(name => name.endsWith(".json"));
  expect(all.map(name => readFileSync(join(ada.folder, name), "utf8")).join()).not.toContain(secret);
  expect(await ada.ok("pull")).toEqual([]);

  ada.write("schedules/orders", { ...ada.read("schedules/orders"), cronExpr: "30 8 * * *", enabled: false });
  ada.write("webhooks/github", { ...ada.read("webhooks/github"), name: "Pushes", keepRaw: true });
  ada.write("variables", { format: "weft-variables", version: 1, values: { limit: 4, region: "eu" } });
  const shown = await ada.weft("push", "--dry-run");
  expect(shown.stdout).toContain('    ~ /cronExpr  "0 9 * * mon" → "30 8 * * *"');
  expect(shown.stdout).toContain("    ~ /values/limit  3 → 4");
  expect((await list("schedules"))[0]).toMatchObject({ cronExpr: "0 9 * * mon" });
  expect(await ada.ok("push")).toEqual(["~ schedules/orders", "~ variables", "~ webhooks/github"]);
  expect(await list("schedules")).toMatchObject([
    { id: schedule.id, slug: "orders", cronExpr: "30 8 * * *", enabled: false, nextRunAt: null },
  ]);
  expect(await list("webhooks")).toMatchObject([{ id: webhook.id, slug: "github", name: "Pushes", keepRaw: true }]);
  expect((await place.api.get(`${place.space}/variables`)).body.values).toEqual({ limit: 4, region: "eu" });
  // The webhook has its secret still: only a changed authentication gets a new one.
  expect((await place.api.get(`${place.space}/webhooks/${webhook.id}`)).body.previousSecretUntil).toBeNull();
  expect(await ada.ok("push")).toEqual([]);

  for (const key of ["schedules/orders", "webhooks/github", "variables"]) unlinkSync(ada.fileOf(key));
  expect(await ada.ok("push")).toEqual(["- schedules/orders", "- variables", "- webhooks/github"]);
  expect([...(await list("schedules")), ...(await list("webhooks"))]).toEqual([]);
  expect((await place.api.get(`${place.space}/variables`)).body.values).toEqual({});
});

it("creates everything in an empty space, and then allows a schedule to change its workflow, but not a webhook", async () => {
  const ada = place.person("ada");
  ada.write("workflows/first", workflow("First", 1));
  ada.write("workflows/second", workflow("Second", 2));
  ada.write("schedules/nightly", { format: "weft-schedule", version: 1, workflow: "first", cronExpr: "0 2 * * *" });
  const hook = { format: "weft-webhook", version: 1, name: "In", workflow: "first", auth: { type: "header" } };
  ada.write("webhooks/in", hook);
  const pushed = await ada.weft("push");
  expect([pushed.code, pushed.stdout]).toEqual([
    0,
    "+ schedules/nightly\n+ webhooks/in\n+ workflows/first\n+ workflows/second\n",
  ]);
  const [webhook] = await list("webhooks");
  expect(pushed.stderr).toContain(
    `weft: webhooks/in: It has a new secret. To see one, use: weft webhooks rotate ${webhook!.id}`,
  );
  expect(await ada.ok("push")).toEqual([]);
  const [, second] = (await list("workflows")).sort((a, b) => (String(a.slug) < String(b.slug) ? -1 : 1));
  const [before] = await list("schedules");
  ada.write("schedules/nightly", { ...ada.read("schedules/nightly"), workflow: "second" });
  expect(await ada.ok("push")).toEqual(["~ schedules/nightly"]);
  const [after] = await list("schedules");
  expect(after).toMatchObject({ slug: "nightly", workflowId: second!.id, cronExpr: "0 2 * * *" });
  expect(after!.id).not.toBe(before!.id);
  ada.write("webhooks/in", { ...hook, workflow: "second" });
  const refused = await ada.weft("push");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("a webhook keeps its workflow")]);
  ada.write("webhooks/in", { ...hook, auth: { type: "header", secret: "0123456789abcdef0123" } });
  const withSecret = await ada.weft("push");
  expect([withSecret.code, withSecret.stderr]).toEqual([1, expect.stringContaining("Secrets do not belong in files")]);
});

it("keeps the slug of a renamed workflow, and restores one from the trash when its file is back", async () => {
  const { id } = await post("workflows", { name: "Invoices", definition: giving(1) });
  const ada = place.person("ada");
  expect(await ada.ok("pull")).toEqual(["+ workflows/invoices"]);
  const file = ada.read("workflows/invoices");
  await place.api.patch(`${place.space}/workflows/${id}`, { name: "Bills" });
  expect(await ada.ok("pull")).toEqual(["~ workflows/invoices"]);
  expect(ada.read("workflows/invoices").name).toBe("Bills");
  // Another one of the first name gets a slug of its own.
  const other = await post("workflows", { name: "Invoices", definition: giving(1) });
  expect(other.slug).toMatch(/^invoices-[0-9a-f]{6}$/);
  expect(await ada.ok("pull")).toEqual([`+ workflows/${other.slug}`]);

  unlinkSync(ada.fileOf("workflows/invoices"));
  expect(await ada.ok("push")).toEqual(["- workflows/invoices"]);
  expect((await place.api.get(`${place.space}/workflows/${id}`)).body.status).toBe("trashed");
  ada.write("workflows/invoices", file);
  expect(await ada.ok("push")).toEqual(["+ workflows/invoices"]);
  const back = { id, slug: "invoices", name: "Invoices", status: "active", version: 3 };
  expect((await place.api.get(`${place.space}/workflows/${id}`)).body).toMatchObject(back);
  expect(await ada.ok("push")).toEqual([]);
});

it("names knowledge bases, people and tools in files, and finds them by name in another workspace", async () => {
  const { workspaceId } = place;
  const base = async (of: FolderStage) =>
    String((await of.api.post(`/v1/workspaces/${of.workspaceId}/knowledge-bases`, { name: "Manual: EU" })).body.id);
  const own = await base(place);
  const [member] = (await place.api.get(`/v1/workspaces/${workspaceId}/members`)).body as Json[];
  const steps = definition([
    node("find", "retriever", { knowledgeBaseId: own, query: "x" }),
    node("ask", "human", { prompt: "Ok?", assignees: [member!.userId] }),
    node("gone", "retriever", { knowledgeBaseId: "0192aaaa-0000-7000-8000-000000000001", query: "x" }),
  ]);
  await post("workflows", { name: "Named", definition: steps });
  const ada = place.person("ada");
  await ada.ok("pull");
  const { nodes } = ada.read("workflows/named").definition;
  expect(nodes[0].data.knowledgeBaseId).toBe("knowledge:Manual: EU");
  expect(nodes[1].data.assignees).toEqual([`user:${member!.email}`]);
  expect(nodes[2].data.knowledgeBaseId).toBe("0192aaaa-0000-7000-8000-000000000001");

  const elsewhere = await openFolderStage();
  try {
    const there = await base(elsewhere);
    const bob = elsewhere.person("bob");
    bob.write("workflows/named", ada.read("workflows/named"));
    const pushed = await bob.weft("push");
    expect([pushed.code, pushed.stderr]).toEqual([0, expect.stringContaining(`There is no user:${member!.email}`)]);
    const [made] = (await elsewhere.api.get(`${elsewhere.space}/workflows`)).body as Json[];
    expect(made!.definition.nodes[0].data.knowledgeBaseId).toBe(there);
    expect(await bob.ok("push")).toEqual([]);
    expect(existsSync(bob.fileOf("variables"))).toBe(false);
  } finally {
    elsewhere.remove();
  }
});
