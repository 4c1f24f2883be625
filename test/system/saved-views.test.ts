import type { Role } from "../../contracts/primitives.ts";
import { type Api, type Json, newWorkspace, register } from "../support/api.ts";
import { addMembers } from "../support/members.ts";
import { expectProblem } from "../support/problem.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let owner: Api;
let base: string;
let views: string;
let workspaceId: string;
let server: Server;
let url: string;
beforeAll(async () => {
  server = await sharedServer();
  ({ url } = server);
  ({ api: owner, workspaceId } = await newWorkspace(url));
  base = `/v1/workspaces/${workspaceId}`;
  views = `${base}/views`;
});

async function join(role: Role): Promise<Api> {
  const person = await register(url);
  await addMembers(server.dataDir, [{ workspaceId, userId: person.userId, role }]);
  return person;
}

const failed = { name: "Failed today", page: "runs", query: "?status=failed&q=caf%C3%A9" };
const namesFor = async (api: Api, query = "") =>
  ((await api.get(views + query)).body as Json[]).map(({ name }) => name as string);
const make = async (api: Api, more: object = {}) => {
  const { status, body } = await api.post(views, { ...failed, ...more });
  expect(status).toBe(201);
  return body;
};

it("is visible to its creator only, or to the whole workspace", async () => {
  const editor = await join("editor");
  const own = await make(editor);
  expect(own).toEqual({
    ...failed,
    ...{ id: own.id, shared: false, mine: true, createdBy: expect.any(String), createdAt: expect.any(String) },
  });
  await make(editor, { name: "For all", shared: true });
  await make(owner, { name: "Of the owner", page: "workflows" });
  expect(await namesFor(editor)).toEqual(["For all", "Failed today"]);
  expect(await namesFor(owner)).toEqual(["Of the owner", "For all"]);
  expect(await namesFor(owner, "?page=runs")).toEqual(["For all"]);
  const { body } = await owner.get(`${views}?page=runs`);
  expect(body[0]).toMatchObject({ name: "For all", shared: true, mine: false });
  // The pages of a list end where the next one begins.
  const { body: first, headers } = await editor.get(`${views}?limit=1`);
  const next = /<([^>]+)>/.exec(headers.get("link") ?? "")?.[1] ?? "";
  expect([(first as Json[])[0].name, ((await editor.get(next)).body as Json[])[0].name]).toEqual([
    "For all",
    "Failed today",
  ]);
});

it("can be saved by viewers for themselves, and shared by editors", async () => {
  const viewer = await join("viewer");
  await make(viewer, { name: "My own" });
  expectProblem(await viewer.post(views, { ...failed, shared: true }), 403, "role_too_low");
});

it("can be deleted by its creator, a shared one also by an admin", async () => {
  const [editor, other] = [await join("editor"), await join("editor")];
  const own = await make(editor);
  const [one, two] = [await make(editor, { shared: true }), await make(editor, { shared: true })];
  expectProblem(await owner.delete(`${views}/${own.id}`), 404, "not_found");
  expectProblem(await other.delete(`${views}/${one.id}`), 403, "role_too_low");
  for (const [api, view] of [
    [editor, own],
    [editor, one],
    [owner, two],
  ] as const)
    expect((await api.delete(`${views}/${view.id}`)).status).toBe(204);
  expectProblem(await editor.delete(`${views}/${own.id}`), 404, "not_found");
});

it.each([
  { name: " " },
  { name: "x".repeat(81) },
  { page: "../runs" },
  { query: "status=failed" },
  { query: "?a=1#b" },
  { query: `?${"x".repeat(2_000)}` },
  { shared: "yes" },
  { other: 1 },
])("rejects %j", async wrong => {
  expectProblem(await owner.post(views, { ...failed, ...wrong }), 400, "validation_failed");
});

it("has a limit", async () => {
  const { api, workspaceId } = await newWorkspace(url);
  const path = `/v1/workspaces/${workspaceId}/views`;
  const statuses = new Set<number>();
  for (let n = 0; n < 100; n++) statuses.add((await api.post(path, failed)).status);
  expect([...statuses]).toEqual([201]);
  expectProblem(await api.post(path, failed), 409, "limit_reached");
});

it("can be renamed, changed and shared by its creator, and a shared one by admins", async () => {
  const [viewer, editor, admin] = [await join("viewer"), await join("editor"), await join("admin")];
  const own = await make(viewer);
  const path = `${views}/${own.id as string}`;
  const renamed = await viewer.patch(path, { name: "Broken", query: "?status=failed" });
  expect(renamed).toMatchObject({ status: 200, body: { ...own, name: "Broken", query: "?status=failed" } });
  expectProblem(await viewer.patch(path, { shared: true }), 403);
  expectProblem(await editor.patch(path, { name: "Mine" }), 404);
  expectProblem(await admin.patch(path, { name: "Mine" }), 404);
  const team = await make(editor);
  const shared = await editor.patch(`${views}/${team.id as string}`, { shared: true });
  expect(shared).toMatchObject({ status: 200, body: { shared: true, name: failed.name } });
  expectProblem(await viewer.patch(`${views}/${team.id as string}`, { name: "No" }), 403);
  const byAdmin = await admin.patch(`${views}/${team.id as string}`, { name: "Of the team" });
  expect(byAdmin).toMatchObject({ status: 200, body: { name: "Of the team", mine: false, shared: true } });
  for (const wrong of [{ name: "" }, { shared: "yes" }, { page: "runs" }, { createdBy: workspaceId }])
    expectProblem(await viewer.patch(path, wrong), 400);
});
