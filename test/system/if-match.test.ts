import { type Api, type Json, newWorkflow, newWorkspace } from "../support/api.ts";
import { definition, gives } from "../support/definition.ts";
import { sharedServer } from "../support/shared.ts";

let api: Api;
let space: string;
let workflowId: string;
beforeAll(async () => {
  const { url } = await sharedServer();
  ({ api, space } = await newWorkspace(url));
  workflowId = await newWorkflow(api, space, definition([gives("a", 1)]));
});

const made = async (path: string, body: Json) =>
  `${space}/${path}/${(await api.post(`${space}/${path}`, body)).body.id}`;
const tagOf = async (path: string) => (await api.get(path)).headers.get("etag") ?? "";
const overtaken = { status: 412, body: { code: "precondition_failed" } };
const given = (etag: string) => ({ "if-match": etag });

const KINDS: [string, () => Promise<string>, (n: number) => Json][] = [
  ["schedule", () => made("schedules", { workflowId, cronExpr: "0 1 * * *" }), n => ({ input: n })],
  ["webhook", () => made("webhooks", { workflowId, name: "In" }), n => ({ name: `Hook ${n}` })],
  ["variables of a space", () => Promise.resolve(`${space}/variables`), n => ({ set: { n } })],
  ["variables of a workspace", () => Promise.resolve(`${space.split("/spaces")[0]}/variables`), n => ({ set: { n } })],
];

test.each(KINDS)("changes a %s only in the state that If-Match names", async (_, make, change) => {
  const path = await make();
  const first = await tagOf(path);
  expect(first).toMatch(/^"\d+-[\w-]+"$/);
  expect((await api.get(path, { "if-none-match": first })).status).toBe(304);
  const changed = await api.patch(path, change(1), given(first));
  expect(changed.status).toBe(200);
  expect(changed.headers.get("etag")).not.toBe(first);
  expect(await api.patch(path, change(2), given(first))).toMatchObject(overtaken);
  // Without the header, the last one wins, as before.
  expect((await api.patch(path, change(3))).status).toBe(200);
  const stale = changed.headers.get("etag")!;
  expect(await api.patch(path, change(4), given(stale))).toMatchObject(overtaken);
  const now = await tagOf(path);
  expect((await api.patch(path, change(5), given(`"x", ${now}`))).status).toBe(200);
  expect((await api.patch(path, change(6), given("*"))).status).toBe(200);
});

test.each(KINDS)("lets one of twenty concurrent changes of a %s with one tag succeed", async (_, make, change) => {
  const path = await make();
  const etag = await tagOf(path);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (__, n) => api.patch(path, change(100 + n), given(etag))),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 412)]);
  const winner = answers.find(({ status }) => status === 200)!;
  expect(await api.get(path)).toMatchObject({ body: { revision: winner.body.revision } });
});

test.each(KINDS.slice(0, 2))("removes a %s only in the state that If-Match names", async (_, make, change) => {
  const path = await make();
  const etag = await tagOf(path);
  await api.patch(path, change(1));
  expect(await api.delete(path, given(etag))).toMatchObject(overtaken);
  expect((await api.delete(path, given(await tagOf(path)))).status).toBe(204);
  expect((await api.delete(path, given(etag))).status).toBe(404);
});

test("keeps the tag when a schedule runs or a webhook gets a delivery", async () => {
  const schedule = await made("schedules", { workflowId, cronExpr: "0 1 * * *" });
  const etag = await tagOf(schedule);
  expect((await api.post(`${schedule}/run`, {})).status).toBe(201);
  expect((await api.patch(schedule, { enabled: false }, given(etag))).status).toBe(200);
  const webhook = await made("webhooks", { workflowId, name: "In" });
  const before = await tagOf(webhook);
  expect((await api.post(`${webhook}/test`, {})).status).toBe(200);
  expect((await api.patch(webhook, { enabled: false }, given(before))).status).toBe(200);
  // A new secret is one.
  const secret = await tagOf(webhook);
  await api.post(`${webhook}/rotate-secret`, {});
  expect(await api.patch(webhook, { enabled: true }, given(secret))).toMatchObject(overtaken);
});

test("moves a workflow to the trash only in the version that If-Match names", async () => {
  const path = `${space}/workflows/${await newWorkflow(api, space, definition([gives("a", 1)]))}`;
  const etag = await tagOf(path);
  await api.patch(path, { name: "Other" });
  expect(await api.patch(`${path}/trash`, {}, given(etag))).toMatchObject(overtaken);
  expect((await api.patch(`${path}/trash`, {}, given(await tagOf(path)))).body.status).toBe("trashed");
});
