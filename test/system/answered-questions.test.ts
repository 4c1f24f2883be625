import { type Api, type Json, newWorkflow, newWorkspace, register } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { eventually, read, start, type Started } from "../support/executions.ts";
import { untilEnd, untilEvent } from "../support/follow.ts";
import { addMembers } from "../support/members.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

const ask = (id: string, data: object = {}) => node(id, "human", { prompt: `${id}?`, ...data });

describe("the list of answers", () => {
  let api: Api & { userId: string; email: string };
  let base: string;
  let space: string;
  let workspaceId: string;
  let viewer: Api;
  let editor: Awaited<ReturnType<typeof register>>;
  beforeAll(async () => {
    const server = await sharedServer();
    const place = await newWorkspace(server.url);
    ({ space, workspaceId, api } = place);
    base = `/v1/workspaces/${workspaceId}`;
    editor = await register(server.url);
    await editor.patch("/v1/auth/me", { name: "Grace" });
    const reader = await register(server.url);
    viewer = reader;
    const roles = [
      { workspaceId, userId: editor.userId, role: "editor" as const },
      { workspaceId, userId: reader.userId, role: "viewer" as const },
    ];
    await addMembers(server.dataDir, roles);
  });

  const answers = async (query = "", as: Api = viewer) => (await read(as, `${base}/answers${query}`)) as Json[];
  const until = (query: string, count: number) =>
    eventually(async () => (await answers(query)).length === count, `${count} answers ${query}`);

  test("lists who answered what, when and how, newest first, without expired questions", async () => {
    const me = api.userId;
    const asks = [ask("first", { assignees: [me] }), ask("second"), ask("third", { expiresInMs: 1 })];
    const what = definition([...asks, gives("late", 1)], "third:timeout > late");
    const workflowId = await newWorkflow(api, space, what);
    const { path, id } = await start(api, space, workflowId);
    await eventually(async () => ((await read(api, path)).suspensions ?? []).length === 2, "it waits for two");
    expect(await answers(`?workflowId=${workflowId}`)).toEqual([]);
    await api.patch(`${path}/respond`, { nodeId: "first", data: { colour: "woad" } });
    await until(`?workflowId=${workflowId}`, 1);
    await editor.patch(`${path}/respond`, { nodeId: "second", approved: false });
    await until(`?workflowId=${workflowId}`, 2);
    const [newest, oldest] = await answers(`?workflowId=${workflowId}`);
    const run = { executionId: id, workflowId, workflowVersion: 1, workflowName: "A workflow" };
    expect(oldest).toMatchObject({
      ...run,
      ...{ nodeId: "first", nodeName: "first", prompt: "first?", assignees: [me] },
      ...{ approved: true, data: { colour: "woad" }, answeredBy: me, answeredByName: api.email },
    });
    expect(newest).toMatchObject({ ...run, nodeId: "second", approved: false, data: null, answeredByName: "Grace" });
    expect(Date.parse(newest.askedAt)).toBeLessThanOrEqual(Date.parse(newest.answeredAt));
    const { body: entry } = await viewer.get(`${path}/logs/${oldest.seq}`);
    expect(entry).toMatchObject({ nodeId: "first", output: { approved: true, respondedAt: oldest.answeredAt } });
    const at = (time: string, ms: number) => encodeURIComponent(new Date(Date.parse(time) + ms).toISOString());
    for (const [query, wanted] of [
      [`answeredBy=${editor.userId}`, ["second"]],
      ["approved=true", ["first"]],
      ["approved=false", ["second"]],
      [`spaceId=${workspaceId}`, ["second", "first"]],
      [`spaceId=${workflowId}`, []],
      [`from=${at(newest.answeredAt, 0)}`, ["second"]],
      [`to=${at(newest.answeredAt, 0)}`, ["first"]],
      [`from=${at(newest.answeredAt, 1)}`, []],
    ] as const) {
      const found = await answers(`?workflowId=${workflowId}&${query}`);
      expect({ query, found: found.map(({ nodeId }) => nodeId as string) }).toEqual({ query, found: wanted });
    }
  });

  test("returns pages, names the items of maps, and leaves out large data", async () => {
    const inner = { ...ask("each-ask"), parentId: "each" };
    const what = definition([node("each", "map", { items: "{{ input }}", concurrency: 3 }), inner]);
    const workflowId = await newWorkflow(api, space, what);
    const { path } = await start(api, space, workflowId, [1, 2, 3]);
    await eventually(async () => ((await read(api, path)).suspensions ?? []).length === 3, "all items ask");
    const large = "x".repeat(5_000);
    for (const index of [2, 0, 1]) {
      const at = { nodeId: "each-ask", path: [{ nodeId: "each", index }] };
      expect((await api.patch(`${path}/respond`, { ...at, data: index === 1 ? large : index })).status).toBe(200);
    }
    await untilEnd(api, path);
    const indexes: number[] = [];
    for (let next: string | undefined = `${base}/answers?workflowId=${workflowId}&limit=1`; next;) {
      const { body, headers } = await viewer.get(next);
      for (const { path: items } of body as Json[]) indexes.push(items[0].index as number);
      next = /<([^>]+)>/.exec(headers.get("link") ?? "")?.[1];
    }
    expect(indexes).toEqual([1, 0, 2]);
    const [last] = await answers(`?workflowId=${workflowId}&limit=1`);
    expect(last).toMatchObject({ data: null, dataBytes: large.length + 2 });
  });

  test("is readable by members only, and rejects unknown parameters", async () => {
    const stranger = (await newWorkspace((await sharedServer()).url)).api;
    expect((await stranger.get(`${base}/answers`)).status).toBe(404);
    for (const query of ["approved=perhaps", "answeredBy=ada", "from=today", "status=open", "cursor=x"])
      expect({ query, status: (await viewer.get(`${base}/answers?${query}`)).status }).toEqual({ query, status: 400 });
    const backwards = "from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z";
    expect((await viewer.get(`${base}/answers?${backwards}`)).status).toBe(400);
  });
});

test("lists each answer once that a killed service had accepted", async () => {
  let server: Server | undefined = await startServer();
  try {
    const { api, space, workspaceId } = await newWorkspace(server.url);
    const workflowId = await newWorkflow(api, space, definition([ask("a")]));
    const runs: Started[] = [];
    for (let n = 0; n < 8; n++) runs.push(await start(api, space, workflowId));
    await Promise.all(runs.map(({ path }) => untilEvent(api, path, "execution.suspended")));
    const taken = runs.map(({ path }) =>
      api.patch(`${path}/approve`).then(
        () => true,
        () => false,
      ),
    );
    await Promise.race(taken);
    await server.stop("SIGKILL");
    const known = await Promise.all(taken);
    const { dataDir } = server;
    server = await startServer({ dataDir });
    const later = api.at(server.url);
    for (const [n, { path }] of runs.entries()) if (known[n]) await untilEnd(later, path);
    const done = ((await read(later, `${space}/executions?status=completed`)) as Json[]).map(({ id }) => id as string);
    const listed = (await read(later, `/v1/workspaces/${workspaceId}/answers`)) as Json[];
    expect(done.length).toBeGreaterThan(0);
    expect(listed.map(({ executionId }) => executionId as string).sort()).toEqual(done.sort());
  } finally {
    await removeServer(server);
  }
});
