import { openStore } from "../../adapters/store/open-store.ts";
import { fileHolds } from "../../services/files/model.ts";
import { type Api, newWorkflow, newWorkspace, register, runToEnd } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { eventually } from "../support/executions.ts";
import { upload, valueOf } from "../support/files.ts";
import { addMembers } from "../support/members.ts";
import { storeAt } from "../support/real-servers.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let server: Server;
let api: Api;
let workspace: string;
let workspaceId: string;
let space: string;
let path: string;
let other: Awaited<ReturnType<typeof register>>;
beforeAll(async () => {
  server = await sharedServer();
  const made = await newWorkspace(server.url);
  ({ api, space, workspaceId } = made);
  workspace = `/v1/workspaces/${made.workspaceId}`;
  other = await register(server.url);
  await addMembers(server.dataDir, [{ workspaceId: made.workspaceId, userId: other.userId, role: "editor" }]);
  path = `${space}/workflows/${await newWorkflow(api, space, definition([gives("a", 1)]))}`;
});

const typed = (value: unknown) => ({
  baseVersion: 1,
  name: "",
  description: "",
  definition: definition([gives("a", value)]),
});

describe("a draft", () => {
  it("is stored unchanged for its author only, and creates no version", async () => {
    // Neither the order of keys nor unknown fields may change.
    const odd = { zeta: 1, alpha: { "1": "x", b: [null, {}] }, nodes: [{ type: "no such type", id: "" }] };
    const kept = await api.patch(`${path}/draft`, { ...typed(1), definition: odd });
    expect(kept).toMatchObject({ status: 200, body: { baseVersion: 1, name: "", revision: expect.any(String) } });
    const read = await api.get(`${path}/draft`);
    expect(JSON.stringify(read.body.definition)).toBe(JSON.stringify(odd));
    expect(read.headers.get("etag")).toBe(kept.headers.get("etag"));
    expect((await other.get(`${path}/draft`)).body).toBeNull();
    expect((await api.get(path)).body).toMatchObject({ version: 1 });
  });

  it("is replaced only with the ETag of its last state", async () => {
    const first = await other.patch(`${path}/draft`, typed(1), { "if-match": '"none"' });
    const etag = first.headers.get("etag")!;
    expect(first.status).toBe(200);
    expect((await other.patch(`${path}/draft`, typed(2), { "if-match": '"none"' })).status).toBe(412);
    const second = await other.patch(`${path}/draft`, typed(2), { "if-match": etag });
    expect(second.status).toBe(200);
    expect(await other.patch(`${path}/draft`, typed(3), { "if-match": etag })).toMatchObject({
      status: 412,
      body: { code: "precondition_failed" },
    });
    expect((await other.get(`${path}/draft`, { "if-none-match": second.headers.get("etag")! })).status).toBe(304);
    expect((await other.get(`${path}/draft`)).body.definition).toEqual(typed(2).definition);
  });

  it("exists once after concurrent requests", async () => {
    const author = await newWorkspace(server.url);
    const at = `${author.space}/workflows/${await newWorkflow(author.api, author.space, null)}/draft`;
    const answers = await Promise.all([1, 2, 3, 4].map(value => author.api.patch(at, typed(value))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await author.api.get(at);
    expect(answers.map(answer => answer.body.revision)).toContain(body.revision);
  });

  it("can be removed, and is deleted with its workflow", async () => {
    const at = `${space}/workflows/${await newWorkflow(api, space, null)}`;
    await api.patch(`${at}/draft`, typed(1));
    expect((await api.delete(`${at}/draft`)).status).toBe(204);
    expect((await api.delete(`${at}/draft`)).status).toBe(204);
    const gone = await api.get(`${at}/draft`);
    expect({ body: gone.body, etag: gone.headers.get("etag") }).toEqual({ body: null, etag: '"none"' });
    await api.delete(at);
    expect((await api.get(`${at}/draft`)).status).toBe(404);
    expect((await api.patch(`${at}/draft`, typed(1))).status).toBe(404);
  });

  it("leaves no trace in the audit log", async () => {
    const { body } = await api.get(`${workspace}/audit?limit=200`);
    const actions = (body as { action: string }[]).map(({ action }) => action);
    expect(actions).toContain("workflows.create");
    expect(actions.filter(action => action.includes("draft"))).toEqual([]);
  });

  it.each([
    ["without a definition", { baseVersion: 1, name: "", description: "" }, 400],
    ["without a version", { name: "", description: "", definition: null }, 400],
    ["of an unknown field", { ...typed(1), x: 1 }, 400],
    ["with a definition that is too large", { ...typed(1), definition: "x".repeat(524_288) }, 413],
  ])("is rejected %s", async (_, body, status) => expect((await api.patch(`${path}/draft`, body)).status).toBe(status));

  it("is deleted when its author leaves the workspace", async () => {
    const guest = await register(server.url);
    const workspaceId = workspace.slice("/v1/workspaces/".length);
    await addMembers(server.dataDir, [{ workspaceId, userId: guest.userId, role: "editor" }]);
    expect((await guest.patch(`${path}/draft`, typed(1))).status).toBe(200);
    expect((await api.delete(`${workspace}/members/${guest.userId}`)).status).toBe(204);
    await addMembers(server.dataDir, [{ workspaceId, userId: guest.userId, role: "editor" }]);
    expect((await guest.get(`${path}/draft`)).body).toBeNull();
  });
});

it("keeps a workflow that is opened and saved the same byte for byte", async () => {
  const odd = {
    zeta: { b: 1, a: [1.5e300, "\u2028", null] },
    notes: [{ text: "**x**", y: 2, x: 1 }],
    nodes: [{ measured: { width: 3.25 }, type: "transform", position: { y: 1, x: -0.5 }, id: "a", data: { value: 1 } }],
    edges: [],
  };
  const at = `${space}/workflows/${await newWorkflow(api, space, odd)}`;
  const bytes = async () => {
    const { headers, body } = await api.get(at);
    return { etag: headers.get("etag"), text: JSON.stringify(body) };
  };
  const before = await bytes();
  const { definition: read } = JSON.parse(before.text) as { definition: unknown };
  expect(JSON.stringify(read)).toBe(JSON.stringify(odd));
  expect((await api.patch(at, { definition: read }, { "if-match": before.etag! })).status).toBe(200);
  expect(await bytes()).toEqual(before);
  expect((await api.get(`${at}/versions`)).body).toHaveLength(1);
});

describe("samples", () => {
  it("keep the files that they name until the sample changes or is removed", async () => {
    const [one, two] = await Promise.all(
      ["one", "two"].map(async name => (await upload(api, workspaceId, name, { name })).body),
    );
    const at = `${space}/workflows/${await newWorkflow(api, space, definition([gives("a", 1)]))}/samples`;
    const store = await openStore({ ...storeAt(server.dataDir), collections: [fileHolds] });
    const held = async () => {
      const { items } = await store.tenant(fileHolds, workspaceId).find({}, { limit: 100 });
      const own = items.filter(({ owner }) => owner.startsWith("sample:"));
      return own.map(({ fileId }) => fileId).sort();
    };
    try {
      await api.patch(at, { nodeId: "a", value: { file: valueOf(one), list: [valueOf(two)] } });
      expect(await held()).toEqual([one.id, two.id].sort());
      await api.patch(at, { nodeId: "a", value: valueOf(two) });
      expect(await held()).toEqual([two.id]);
      await api.delete(`${at}?nodeId=a`);
      expect(await held()).toEqual([]);
    } finally {
      await store.close();
    }
  });

  const sampleOf = async (nodeId: string) =>
    (await api.get(`${path}/samples?nodeId=${encodeURIComponent(nodeId)}`)).body[0];

  it("are stored by step for all members, and listed without their values", async () => {
    const { body } = await api.patch(`${path}/samples`, { nodeId: "a", value: { b: [1, null] } });
    expect(body).toMatchObject({ nodeId: "a", value: { b: [1, null] }, bytes: 14, source: null });
    await api.patch(`${path}/samples`, { nodeId: "odd id/%", value: null });
    const { body: listed } = await other.get(`${path}/samples`);
    expect(listed).toEqual([expect.objectContaining({ nodeId: "a" }), expect.objectContaining({ nodeId: "odd id/%" })]);
    expect(JSON.stringify(listed)).not.toContain('"value"');
    await other.patch(`${path}/samples`, { nodeId: "a", value: 7 });
    expect(await sampleOf("a")).toMatchObject({ value: 7, updatedBy: other.userId });
    expect(await sampleOf("odd id/%")).toMatchObject({ value: null });
    expect((await api.delete(`${path}/samples?nodeId=a`)).status).toBe(204);
    expect(await sampleOf("a")).toBeUndefined();
  });

  it("are copied from a run, also from an item of a map", async () => {
    const inside = { ...gives("b", "{{ item * 2 }}"), parentId: "each" };
    const run = await runToEnd(api, space, definition([node("each", "map", { items: [1, 2] }), inside]));
    const item = [{ nodeId: "each", index: 1 }];
    const copied = { nodeId: "b", executionId: run.id, path: item };
    expect(await api.patch(`${path}/samples`, copied)).toMatchObject({
      status: 200,
      body: { value: 4, source: { executionId: run.id, path: item } },
    });
    expect((await api.patch(`${path}/samples`, { ...copied, nodeId: "none" })).status).toBe(404);
    const foreign = await newWorkspace(server.url);
    const secret = await runToEnd(foreign.api, foreign.space, definition([gives("b", 1)]));
    expect((await api.patch(`${path}/samples`, { nodeId: "b", executionId: secret.id })).status).toBe(404);
  });

  it("have a limit each and a limit together, also with concurrent requests", async () => {
    const at = `${space}/workflows/${await newWorkflow(api, space, null)}/samples`;
    const value = "x".repeat(262_142);
    expect((await api.patch(at, { nodeId: "big", value: `${value}x` })).status).toBe(413);
    const ids = Array.from({ length: 20 }, (_, i) => `n${i}`);
    const answers = await Promise.all(ids.map(nodeId => api.patch(at, { nodeId, value })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter(status => status === 200)).toHaveLength(16);
    expect(answers.filter(({ status }) => status !== 200).map(({ body }) => body.code)).toEqual(
      Array(4).fill("limit_reached"),
    );
    const [kept] = (await api.get(at)).body as { nodeId: string }[];
    expect((await api.patch(at, { nodeId: kept!.nodeId, value: 1 })).status).toBe(200);
    expect((await api.patch(at, { nodeId: "more", value: "small" })).status).toBe(200);
  });

  it.each([{}, { nodeId: "a" }, { nodeId: "a", value: 1, executionId: "01890000-0000-7000-8000-000000000000" }])(
    "reject %j",
    async body => expect((await api.patch(`${path}/samples`, body)).status).toBe(400),
  );

  it("do not appear in versions, exports or runs", async () => {
    await api.patch(`${path}/samples`, { nodeId: "a", value: "pinned" });
    const workflowId = path.slice(path.lastIndexOf("/") + 1);
    expect(JSON.stringify((await api.get(`${path}/export`)).body)).not.toContain("pinned");
    expect(JSON.stringify((await api.get(path)).body)).not.toContain("pinned");
    const { body } = await api.post(`${space}/executions`, { workflowId });
    await eventually(async () => {
      const run = await api.get(`${space}/executions/${body.id}`);
      return run.body.status === "completed" && run.body.output === 1;
    }, "the run has ended with its own output");
  });
});
