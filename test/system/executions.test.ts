import { v7 as uuid } from "uuid";
import { type Answer, newWorkflow, newWorkspace, runToEnd } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { EventStream } from "../support/events.ts";
import { readLog, untilEnd, untilEvent } from "../support/follow.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let server: Server;
let api: Awaited<ReturnType<typeof newWorkspace>>["api"];
let space: string;
let workspaceId: string;
beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  ({ api, space, workspaceId } = await newWorkspace(server.url));
});

const start = (workflowId: string, body: object = {}, headers?: Record<string, string>) =>
  api.post(`${space}/executions`, { workflowId, ...body }, headers);
const asks = definition([node("ask", "human", { prompt: "?" })]);
const next = ({ headers }: Answer) => /^<([^>]+)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1];
const idsOf = ({ body }: Answer) => (body as { id: string }[]).map(({ id }) => id);

async function suspended(workflowId: string): Promise<string> {
  const { body } = await start(workflowId);
  await untilEvent(api, `${space}/executions/${body.id}`, "execution.suspended");
  return body.id as string;
}

describe("an execution", () => {
  it("returns the version, input, output and times of the run", async () => {
    const workflowId = await newWorkflow(api, space, definition([gives("t", "{{ input.n + 1 }}")]));
    const started = await start(workflowId, { input: { n: 1 } });
    expect(started.status).toBe(201);
    const path = `${space}/executions/${started.body.id}`;
    expect(started.headers.get("location")).toBe(path);
    const ended = await untilEnd(api, path);
    expect(ended).toEqual({
      id: started.body.id,
      workspaceId,
      spaceId: workspaceId,
      workflowId,
      workflowVersion: 1,
      status: "completed",
      trigger: { type: "manual" },
      startedBy: api.userId,
      error: null,
      attempt: 1,
      input: { n: 1 },
      output: 2,
      createdAt: expect.any(String),
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
    });
    expect([ended.createdAt, ended.startedAt, ended.finishedAt]).toEqual(
      [ended.createdAt, ended.startedAt, ended.finishedAt].sort(),
    );
  });

  it.each([undefined, null, 0, false, "", [], { a: { b: null } }])("accepts any JSON as input: %j", async input => {
    const workflowId = await newWorkflow(api, space, null);
    const { body } = await start(workflowId, input === undefined ? {} : { input }, { prefer: "wait=30" });
    expect(body).toMatchObject({ status: "completed", input: input ?? null, output: input ?? null });
  });

  it("cannot be started from a missing workflow or version", async () => {
    const workflowId = await newWorkflow(api, space, null);
    expect((await start(uuid())).status).toBe(404);
    expect((await start(workflowId, { version: 2 })).status).toBe(404);
    expect((await api.get(`${space}/executions/${uuid()}`)).status).toBe(404);
    const elsewhere = space.replace(/[^/]+$/, uuid());
    expect((await api.post(`${elsewhere}/executions`, { workflowId })).status).toBe(404);
    const { body: pod } = await api.post(`/v1/workspaces/${workspaceId}/pods`, { name: "p" });
    const beside = `/v1/workspaces/${workspaceId}/spaces/${pod.id}`;
    expect((await api.post(`${beside}/executions`, { workflowId })).status).toBe(404);
  });

  it("cannot be answered or cancelled after its end, and does not change", async () => {
    const done = await runToEnd(api, space, null);
    const path = `${space}/executions/${done.id}`;
    const answers = await Promise.all([
      api.patch(`${path}/respond`, {}),
      api.patch(`${path}/approve`),
      api.delete(path),
      api.post(`${path}/retry`),
    ]);
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [409, "execution_not_suspended"],
      [409, "execution_not_suspended"],
      [409, "execution_finished"],
      [409, "execution_not_retryable"],
    ]);
    expect((await api.get(path)).body).toEqual(done);
  });

  it("can be cancelled once while it waits", async () => {
    const path = `${space}/executions/${await suspended(await newWorkflow(api, space, asks))}`;
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.delete(path)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    const { body } = await api.get(path);
    expect(body).toMatchObject({ status: "cancelled", output: null });
    expect(body).not.toHaveProperty("suspension");
    expect((await readLog(api, path)).at(-1)?.event).toBe("execution.cancelled");
    expect((await api.patch(`${path}/approve`)).status).toBe(409);
  });

  it("rejects an answer that names another node", async () => {
    const path = `${space}/executions/${await suspended(await newWorkflow(api, space, asks))}`;
    expect(await api.patch(`${path}/respond`, { nodeId: "other" })).toMatchObject({
      status: 409,
      body: { code: "execution_not_suspended" },
    });
    expect((await api.patch(`${path}/respond`, { nodeId: "ask" })).status).toBe(200);
    expect((await untilEnd(api, path)).status).toBe("completed");
  });
});

describe("Prefer: wait", () => {
  it("returns the ended run, and says that the preference was applied", async () => {
    const workflowId = await newWorkflow(api, space, definition([node("d", "delay", { ms: 60 })]));
    const { status, headers, body } = await start(workflowId, { input: 1 }, { prefer: "respond-async, wait=30" });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: "completed", output: 1 });
    expect(headers.get("preference-applied")).toBe("wait=30");
  });

  it("returns a run that does not end in time with its current state", async () => {
    const { status, body } = await start(await newWorkflow(api, space, asks), {}, { prefer: "wait=1" });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: "suspended", suspension: { nodeId: "ask" } });
  });

  it.each(["wait=61", "wait=-1", "wait=soon", "wait", "return=minimal"])("ignores %s", async prefer => {
    const { status, headers } = await start(await newWorkflow(api, space, null), {}, { prefer });
    expect(status).toBe(201);
    expect(headers.get("preference-applied")).toBeNull();
  });
});

describe("the version that runs", () => {
  it("is the newest or the named one, and does not change for a waiting run", async () => {
    const first = definition([node("ask", "human", { prompt: "?" }), gives("t", "one")], "ask > t");
    const workflowId = await newWorkflow(api, space, first);
    const waiting = `${space}/executions/${await suspended(workflowId)}`;
    const second = await api.patch(`${space}/workflows/${workflowId}`, { definition: definition([gives("t", "two")]) });
    expect(second.body.version).toBe(2);
    await api.post(`${space}/workflows/${workflowId}/deploy`);
    await api.patch(`${space}/workflows/${workflowId}`, { definition: definition([gives("t", "three")]) });

    const wait = { prefer: "wait=30" };
    const [newest, named] = await Promise.all([start(workflowId, {}, wait), start(workflowId, { version: 2 }, wait)]);
    expect(newest.body).toMatchObject({ workflowVersion: 3, output: "three" });
    expect(named.body).toMatchObject({ workflowVersion: 2, output: "two" });
    await api.patch(`${waiting}/approve`);
    expect(await untilEnd(api, waiting)).toMatchObject({ workflowVersion: 1, output: "one" });
  });

  it("is that of the original run for a retry", async () => {
    const failing = definition([node("f", "fail", { message: "m" })]);
    const failed = await runToEnd(api, space, failing);
    await api.patch(`${space}/workflows/${failed.workflowId}`, { definition: null });
    const { body } = await api.post(`${space}/executions/${failed.id}/retry`);
    expect(await untilEnd(api, `${space}/executions/${body.id}`)).toMatchObject({
      status: "failed",
      workflowVersion: 1,
    });
  });

  it("is unavailable while the workflow is in the trash", async () => {
    const workflowId = await newWorkflow(api, space, asks);
    const waiting = `${space}/executions/${await suspended(workflowId)}`;
    await api.patch(`${space}/workflows/${workflowId}/trash`);
    expect(await start(workflowId)).toMatchObject({ status: 409, body: { code: "workflow_trashed" } });
    // What runs already goes on.
    await api.patch(`${waiting}/approve`);
    expect((await untilEnd(api, waiting)).status).toBe("completed");
    await api.patch(`${space}/workflows/${workflowId}/restore`);
    expect((await start(workflowId)).status).toBe(201);
  });
});

describe("the list of executions", () => {
  it("is sorted newest first, without payloads, and its pages neither skip nor repeat a run", async () => {
    const workflowId = await newWorkflow(api, space, null);
    const started: string[] = [];
    for (let i = 0; i < 7; i++)
      started.push((await start(workflowId, { input: i }, { prefer: "wait=30" })).body.id as string);
    const seen: string[] = [];
    const sizes: number[] = [];
    for (let path: string | undefined = `${space}/executions?limit=3`; path;) {
      const page: Answer = await api.get(path);
      expect(page.status).toBe(200);
      seen.push(...idsOf(page));
      sizes.push(idsOf(page).length);
      path = next(page);
    }
    expect(seen).toEqual([...started].reverse());
    expect(sizes).toEqual([3, 3, 1]);
    const { body } = await api.get(`${space}/executions?limit=1`);
    expect(body[0]).not.toHaveProperty("input");
    expect(body[0]).not.toHaveProperty("output");
  });

  it("has no next page after a full last page", async () => {
    const workflowId = await newWorkflow(api, space, null);
    await Promise.all([start(workflowId), start(workflowId)]);
    const page = await api.get(`${space}/executions?limit=2`);
    expect(page.body).toHaveLength(2);
    expect(next(page)).toBeUndefined();
  });

  it("can be filtered by workflow and status, and the filters apply to the next page", async () => {
    const fails = await newWorkflow(api, space, definition([node("f", "fail", { message: "m" })]));
    const works = await newWorkflow(api, space, null);
    const wait = { prefer: "wait=30" };
    const [a, b, c] = [await start(fails, {}, wait), await start(works, {}, wait), await start(fails, {}, wait)].map(
      ({ body }) => body.id as string,
    );
    const d = await suspended(await newWorkflow(api, space, asks));
    const list = async (query: string) => idsOf(await api.get(`${space}/executions?${query}`));
    expect(await list(`workflowId=${fails}`)).toEqual([c, a]);
    expect(await list("status=failed")).toEqual([c, a]);
    expect(await list("status=completed")).toEqual([b]);
    expect(await list("status=suspended")).toEqual([d]);
    expect(await list(`status=completed&workflowId=${fails}`)).toEqual([]);
    const page = await api.get(`${space}/executions?status=failed&limit=1`);
    expect(idsOf(page)).toEqual([c]);
    const second = await api.get(next(page) ?? "");
    expect(idsOf(second)).toEqual([a]);
    expect(next(second)).toBeUndefined();
  });

  it("contains only executions of its space", async () => {
    await start(await newWorkflow(api, space, null));
    const { body: pod } = await api.post(`/v1/workspaces/${workspaceId}/pods`, { name: "p" });
    expect((await api.get(`/v1/workspaces/${workspaceId}/spaces/${pod.id}/executions`)).body).toEqual([]);
  });
});

describe("the log", () => {
  const many = definition(
    Array.from({ length: 12 }, (_, i) => gives(`n${i}`, i)),
    ...Array.from({ length: 11 }, (_, i) => `n${i} > n${i + 1}`),
  );

  it("counts from 1 without gaps over all pages, and says who did what", async () => {
    const { id } = await runToEnd(api, space, many);
    const seqs: number[] = [];
    for (let path: string | undefined = `${space}/executions/${id}/logs?limit=7`; path;) {
      const page: Answer = await api.get(path);
      expect(page.body.length).toBeLessThanOrEqual(7);
      seqs.push(...(page.body as { seq: number }[]).map(({ seq }) => seq));
      path = next(page);
    }
    expect(seqs).toEqual(Array.from({ length: 26 }, (_, i) => i + 1));
    const log = await readLog(api, `${space}/executions/${id}`);
    expect(log[0]).toMatchObject({ seq: 1, event: "execution.started", nodeId: null, nodeType: null, level: "info" });
    expect(log[2]).toMatchObject({
      event: "step.completed",
      nodeId: "n0",
      nodeType: "transform",
      attempt: 1,
      output: 0,
    });
    expect(log.at(-1)).toMatchObject({ event: "execution.completed", output: 11 });
    expect(log.every(entry => entry.executionId === id && entry.message !== "")).toBe(true);
  });

  it("starts after the given seq", async () => {
    const { id } = await runToEnd(api, space, many);
    const { body } = await api.get(`${space}/executions/${id}/logs?after=24`);
    expect((body as { seq: number }[]).map(({ seq }) => seq)).toEqual([25, 26]);
    expect((await api.get(`${space}/executions/${id}/logs?after=26`)).body).toEqual([]);
    const first = await api.get(`${space}/executions/${id}/logs?after=21&limit=3`);
    const second = await api.get(next(first) ?? "");
    expect([first, second].map(({ body }) => (body as { seq: number }[]).map(({ seq }) => seq))).toEqual([
      [22, 23, 24],
      [25, 26],
    ]);
  });

  it("rejects an invalid cursor", async () => {
    const { id } = await runToEnd(api, space, null);
    for (const cursor of ["x", "-1", "1e3", "99999999999999999999"]) {
      expect(await api.get(`${space}/executions/${id}/logs?cursor=${cursor}`)).toMatchObject({
        status: 400,
        body: { code: "invalid_cursor" },
      });
    }
    // No list makes a cursor with such a character.
    expect(await api.get(`${space}/executions/${id}/logs?cursor=1;`)).toMatchObject({
      status: 400,
      body: { code: "validation_failed", errors: [{ path: "/cursor" }] },
    });
  });

  it("has the same entries as the stream, which resumes after the last seen entry", async () => {
    const { id } = await runToEnd(api, space, many);
    const path = `${space}/executions/${id}`;
    const events = await (await EventStream.open(api, path)).toEnd();
    expect(events.map(({ data }) => data)).toEqual(await readLog(api, path));
    expect(events.map(({ id: seq, event }) => [seq, event])).toEqual(events.map(({ data }) => [data.seq, data.event]));
    const rest = await (await EventStream.open(api, path, 20)).toEnd();
    expect(rest).toEqual(events.slice(20));
    expect((await EventStream.open(api, path, 26)).status).toBe(204);
  });
});

describe("the list of executions", () => {
  it("keeps its filters in the Link to the next page, and is counted", async () => {
    const workflowId = await newWorkflow(api, space, null);
    const ran = await Promise.all([1, 2, 3].map(() => start(workflowId, {}, { prefer: "wait=30" })));
    const range = "from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00%2B01:00";
    const filters = `workflowId=${workflowId}&status=completed&trigger=manual&${range}`;
    const first = await api.get(`${space}/executions?${filters}&limit=2`);
    const second = await api.get(next(first) ?? "");
    expect(new Set([first, second].flatMap(idsOf))).toEqual(new Set(ran.map(({ body }) => body.id as string)));
    expect(next(second)).toBeUndefined();
    expect((await api.get(`${space}/executions?${filters.replace("manual", "webhook")}`)).body).toEqual([]);
    const stats = await api.get(`${space}/executions/stats?workflowId=${workflowId}`);
    expect(stats).toMatchObject({ status: 200, body: { total: 3, byStatus: { completed: 3 } } });
    const backwards = await api.get(`${space}/executions?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z`);
    expect(backwards).toMatchObject({ status: 400, body: { code: "validation_failed", errors: [{ path: "/from" }] } });
  });
});

test("lists ended runs by duration", async () => {
  const pause = definition([node("wait", "delay", { ms: "{{ input }}" })]);
  const workflowId = await newWorkflow(api, space, pause);
  for (const input of [30, 1, 15]) await start(workflowId, { input }, { prefer: "wait=30" });
  const { body: cancelled } = await start(workflowId, { input: 3_600_000 });
  await api.delete(`${space}/executions/${cancelled.id}`);
  const { body: goesOn } = await start(workflowId, { input: 3_600_000 });
  const took = ({ startedAt, finishedAt }: { startedAt: string | null; finishedAt: string }) =>
    startedAt ? Date.parse(finishedAt) - Date.parse(startedAt) : 0;
  const longest = await api.get(`${space}/executions?sort=-durationMs`);
  expect(idsOf(longest)).toHaveLength(4);
  expect(idsOf(longest)).not.toContain(goesOn.id);
  const durations = (longest.body as Parameters<typeof took>[0][]).map(took);
  expect(durations).toEqual(durations.toSorted((a, b) => b - a));
  expect(idsOf(await api.get(`${space}/executions?sort=durationMs`))).toEqual(idsOf(longest).toReversed());
  await api.delete(`${space}/executions/${goesOn.id}`);
});

describe("a workflow's entity tag", () => {
  it("changes with every change, prevents stale changes, and saves reading an unchanged workflow", async () => {
    const workflowId = await newWorkflow(api, space, null);
    const path = `${space}/workflows/${workflowId}`;
    const tag = (await api.get(path)).headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[^"]+"$/);
    expect(await api.get(path, { "if-none-match": tag })).toMatchObject({ status: 304, body: null });

    const changed = await api.patch(path, { name: "New" }, { "if-match": tag });
    expect(changed).toMatchObject({ status: 200, body: { version: 2 } });
    expect(changed.headers.get("etag")).not.toBe(tag);
    expect((await api.get(path, { "if-none-match": tag })).status).toBe(200);
    expect(await api.patch(path, { name: "Newer" }, { "if-match": tag })).toMatchObject({
      status: 412,
      body: { code: "precondition_failed" },
    });
    expect((await api.patch(path, { name: "Newer" }, { "if-match": "*" })).body.version).toBe(3);
    expect((await api.patch(path, { name: "Newer" })).body.version).toBe(3);
  });

  it("lets one of many concurrent changes of the same version succeed", async () => {
    const path = `${space}/workflows/${await newWorkflow(api, space, null)}`;
    const tag = (await api.get(path)).headers.get("etag") ?? "";
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => api.patch(path, { name: `Name ${i}` }, { "if-match": tag })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.every(({ status }) => [200, 409, 412].includes(status))).toBe(true);
    expect((await api.get(path)).body.version).toBe(2);
  });
});

test("gives each of hundreds of concurrent runs its own output", async () => {
  const what = definition(
    [
      gives("a", "{{ input.n }}"),
      node("c", "condition", { if: "{{ steps.a % 2 = 0 }}" }),
      gives("even", "even {{ steps.a }}"),
      gives("odd", "odd {{ steps.a }}"),
    ],
    "a > c",
    "c:true > even",
    "c:false > odd",
  );
  const workflowId = await newWorkflow(api, space, what);
  const runs = await Promise.all(
    Array.from({ length: 300 }, (_, n) => start(workflowId, { input: { n } }, { prefer: "wait=30" })),
  );
  expect(runs.map(({ body }) => body.output as string)).toEqual(runs.map((_, n) => `${n % 2 ? "odd" : "even"} ${n}`));
});
