import { type Api, type Json, newWorkflow, newWorkspace, register } from "../support/api.ts";
import { addMembers } from "../support/members.ts";
import { definition, gives, node } from "../support/definition.ts";
import { eventually, read } from "../support/executions.ts";
import { untilEnd } from "../support/follow.ts";
import { removeServer, restarted, type Server, startServer } from "../support/server.ts";

/** SIGNALS=10000 npx jest signals: half of the signals come before their run waits. */
const SIGNALS = Number(process.env.SIGNALS ?? 80);
const AT_ONCE = 20;
const env = { WORKER_LEASE_MS: "500" };

let server: Server;
let api: Api;
let space: string;
let workspaceId: string;
beforeAll(async () => {
  server = await startServer({ env });
  ({ api, space, workspaceId } = await newWorkspace(server.url));
});
afterAll(() => removeServer(server));

async function killAndRestart(): Promise<void> {
  server = await restarted(server, env);
}

const signal = (body: object, by = api) => by.post(`/v1/workspaces/${workspaceId}/signals`, body);
const waiter = (data: object, ...more: object[]) =>
  newWorkflow(api, space, definition([node("w", "wait", data), ...more]));

async function begin(workflowId: string, input: unknown = null): Promise<string> {
  const { status, body } = await api.post(`${space}/executions`, { workflowId, input });
  expect(status).toBe(201);
  return `${space}/executions/${body.id}`;
}
const untilWaits = (path: string) =>
  eventually(async () => {
    const { body } = await api.get(`${path}/steps`);
    return (body as Json[]).some(({ status, waitsFor }) => status === "waiting" && waitsFor === "event");
  }, "the step waits");

/** Sends until an answer comes, as a sender does whose server may be killed meanwhile. */
async function surely(send: () => Promise<Json>): Promise<Json> {
  let answer: Json;
  await eventually(async () => {
    answer = await send().catch(() => undefined);
    return answer?.status === 200 || answer?.status === 201;
  }, "an answer comes");
  return answer;
}

async function each(numbers: readonly number[], act: (n: number) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < numbers.length; at += AT_ONCE) await Promise.all(numbers.slice(at, at + AT_ONCE).map(act));
}

test("delivers each signal once over kills, whether it was sent before or after its run waits", async () => {
  const workflowId = await waiter({ event: "go", key: "{{ input.n }}" });
  const all = Array.from({ length: SIGNALS }, (_, n) => n);
  const [early, late] = [all.slice(0, SIGNALS / 2), all.slice(SIGNALS / 2)];
  const send = (n: number) => surely(() => signal({ name: "go", key: String(n), data: { n }, id: `go-${n}` }));
  await each(early, async n => expect((await send(n)).body).toEqual({ delivered: 0, kept: true }));
  const paths: string[] = [];
  const launch = async (n: number) => {
    const { body } = await surely(() => api.post(`${space}/executions`, { workflowId, input: { n }, key: `run-${n}` }));
    paths[n] = `${space}/executions/${body.id}`;
  };
  const launched = each(all, launch);
  await eventually(() => Promise.resolve(paths.filter(Boolean).length >= SIGNALS / 4), "runs have been started");
  await killAndRestart();
  const sent = each(late, send);
  await launched;
  await killAndRestart();
  await sent;
  await each(all, async n => {
    expect(await untilEnd(api, paths[n]!)).toMatchObject({
      status: "completed",
      output: { data: { n }, source: "signal" },
    });
  });
  // Sent again they do nothing, and none of them is left for another run.
  await each(all.slice(0, AT_ONCE), async n => expect((await send(n)).body.kept).toBe(false));
  const again = await begin(workflowId, { n: 0 });
  await untilWaits(again);
  expect((await signal({ name: "go", key: "0", data: "new" })).body).toEqual({ delivered: 1, kept: false });
  expect(await untilEnd(api, again)).toMatchObject({ output: { data: "new" } });
});

test("delivers one signal to every run that waits for it, within its workspace", async () => {
  const workflowId = await waiter({ event: "news" });
  const paths = [await begin(workflowId), await begin(workflowId)];
  for (const path of paths) await untilWaits(path);
  const stranger = await newWorkspace(server.url);
  const elsewhere = await stranger.api.post(`/v1/workspaces/${stranger.workspaceId}/signals`, { name: "news" });
  expect(elsewhere.body).toEqual({ delivered: 0, kept: true });
  expect((await signal({ name: "news" }, stranger.api)).status).toBe(404);
  expect((await signal({ name: "news", key: "other" })).body).toEqual({ delivered: 0, kept: true });
  expect((await signal({ name: "news", data: 1 })).body).toEqual({ delivered: 2, kept: false });
  for (const path of paths) expect(await untilEnd(api, path)).toMatchObject({ output: { data: 1 } });
});

test("rejects data that does not match the schema, and leaves by a handle of its own on a timeout", async () => {
  const schema = { type: "object", required: ["paid"] };
  const strict = await begin(await waiter({ event: "strict", schema }));
  await untilWaits(strict);
  expect(await signal({ name: "strict", data: { no: 1 } })).toMatchObject({
    status: 400,
    body: { errors: [{ path: "/data" }] },
  });
  expect((await signal({ name: "strict", data: { paid: true } })).body).toEqual({ delivered: 1, kept: false });
  expect(await untilEnd(api, strict)).toMatchObject({ status: "completed" });
  const short = definition(
    [node("w", "wait", { event: "never", expiresInMs: 50 }), gives("late", "{{ steps.w }}")],
    "w:timeout > late",
  );
  const timed = await begin(await newWorkflow(api, space, short));
  expect(await untilEnd(api, timed)).toMatchObject({
    status: "completed",
    output: { data: null, receivedAt: null, source: null },
  });
  const bare = await begin(await waiter({ event: "never", expiresInMs: 50 }));
  expect(await untilEnd(api, bare)).toMatchObject({ status: "failed", error: { code: "wait_expired" } });
});

describe("the address of a step", () => {
  async function linked(more: object = {}) {
    const what = definition([gives("url", "{{ $resumeUrl('w') }}"), node("w", "wait", { ...more })], "url > w");
    const path = await begin(await newWorkflow(api, space, what));
    await untilWaits(path);
    const { body } = await api.get(`${path}/output?nodeId=url`);
    return { path, token: (body.output as string).split("/").at(-1)! };
  }
  const call = (token: string, body?: unknown) => api.as("").post(`/v1/resume/${token}`, body);

  it("ends the wait of its step once, without a sign-in", async () => {
    const [{ path, token }, other] = [await linked(), await linked()];
    expect(await call(token, { answer: 42 })).toMatchObject({ status: 200, body: { resumed: true } });
    expect(await untilEnd(api, path)).toMatchObject({ output: { data: { answer: 42 }, source: "link" } });
    expect(await call(token)).toMatchObject({ status: 410, body: { code: "link_invalid" } });
    expect(await read(api, other.path)).toMatchObject({ finishedAt: null });
    await api.delete(other.path);
    expect((await call(other.token)).status).toBe(410);
  });

  it("is in the list of steps for people who may end the wait, and the received data is visible to all", async () => {
    const { path, token } = await linked({ event: "paid", key: "A-7" });
    const { body: key } = await api.post(`/v1/workspaces/${workspaceId}/api-keys`, { name: "R", scopes: ["read"] });
    const viewer = await register(server.url);
    await addMembers(server.dataDir, [{ workspaceId, userId: viewer.userId, role: "viewer" }]);
    const awaited = async (by: Api) =>
      ((await by.get(`${path}/steps`)).body as Json[]).find(({ nodeId }) => nodeId === "w").awaits;
    expect(await awaited(api)).toEqual({
      ...{ event: "paid", key: "A-7", url: expect.stringMatching(new RegExp(`/v1/resume/${token}$`)) },
    });
    for (const by of [viewer, api.as(key.key as string)])
      expect(await awaited(by)).toEqual({ event: "paid", key: "A-7" });
    await api.delete(path);
  });

  it.each(["", "x", "AAAA"])("is rejected with %j changed", async mark => {
    const { path, token } = await linked();
    const changed =
      mark === ""
        ? token.slice(0, -4)
        : mark === "x"
          ? `x${token.slice(1)}`
          : token.slice(0, 60) + mark + token.slice(64);
    expect((await call(changed)).status).toBe(410);
    expect(await read(api, path)).toMatchObject({ finishedAt: null });
  });

  it("identifies the item of a map, and may be used before the step waits", async () => {
    const inside = (made: object) => ({ ...made, parentId: "each" });
    const steps = [
      node("each", "map", { items: [1, 2], concurrency: 1 }),
      inside(gives("url", "{{ $resumeUrl('w') }}")),
      inside(node("hold", "wait", { event: "hold", key: "{{ item }}" })),
      inside(node("w", "wait", {})),
    ];
    const path = await begin(await newWorkflow(api, space, definition(steps, "url > hold", "hold > w")));
    const tokenOf = async (index: number) => {
      const at = encodeURIComponent(JSON.stringify([{ nodeId: "each", index }]));
      let url: string | undefined;
      await eventually(async () => {
        const { status, body } = await api.get(`${path}/output?nodeId=url&path=${at}`);
        url = status === 200 ? (body.output as string | undefined) : undefined;
        return typeof url === "string";
      }, "the item has its address");
      return url!.split("/").at(-1)!;
    };
    for (const index of [0, 1]) {
      const token = await tokenOf(index);
      expect((await call(token, index)).body).toEqual({ resumed: false });
      expect((await call(token, index)).body).toEqual({ resumed: false });
      expect((await call(token, { other: 1 })).body.code).toBe("link_invalid");
      await signal({ name: "hold", key: String(index + 1) });
    }
    expect(await untilEnd(api, path)).toMatchObject({ status: "completed", output: [{ data: 0 }, { data: 1 }] });
  });
});
