import { type Api, type Json, newWorkflow } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { eventually, ledgerCall, read, start } from "../support/executions.ts";
import { readLog, untilEnd, untilEvent } from "../support/follow.ts";
import { Gate, type Ledger } from "../support/ledger.ts";
import { openStage } from "../support/stage.ts";

let api: Api;
let space: string;
let ledger: Ledger;
beforeAll(async () => void ({ api, space, ledger } = await openStage()));
afterAll(() => ledger.close());

const ask = (id: string, data: object = {}) => node(id, "human", { prompt: `${id}?`, ...data });
const asking = async (path: string) =>
  (((await read(api, path)).suspensions ?? []) as Json[]).map(({ nodeId }) => nodeId as string);

test("accepts answers to parallel questions by name, in any order", async () => {
  const what = definition([ask("a"), ask("b"), ask("c"), gives("after", "{{ steps.b.data }}")], "b > after");
  const { path } = await start(api, space, await newWorkflow(api, space, what));
  await untilEvent(api, path, "execution.suspended");
  expect(await asking(path)).toEqual(["a", "b", "c"]);
  const answers = await Promise.all(["c", "b"].map(nodeId => api.patch(`${path}/respond`, { nodeId, data: nodeId })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  await eventually(async () => (await read(api, path)).status === "suspended", "it waits again");
  expect(await asking(path)).toEqual(["a"]);
  expect((await api.patch(`${path}/approve`)).status).toBe(200);
  expect((await untilEnd(api, path)).output).toMatchObject({ a: { approved: true }, c: { data: "c" }, after: "b" });
});

test("accepts an answer while another branch continues, and runs nothing twice", async () => {
  const gate = new Gate();
  ledger.behaviour = async ({ path }) => {
    if (path === "/busy") await gate.opened;
    return undefined;
  };
  const what = definition([ask("a"), ledgerCall(ledger, "busy"), ledgerCall(ledger, "next")], "a > next");
  const { path, id } = await start(api, space, await newWorkflow(api, space, what));
  await ledger.until(() => ledger.count(`${id}:busy`) === 1, "the calls come in");
  await eventually(async () => (await asking(path)).includes("a"), "the question is shown");
  expect((await read(api, path)).status).toBe("running");
  expect(await api.patch(`${path}/respond`, { data: 1 })).toMatchObject({ status: 200, body: { status: "running" } });
  await ledger.until(() => ledger.count(`${id}:next`) === 1, "the calls come in");
  expect((await api.patch(`${path}/respond`, { nodeId: "a" })).status).toBe(409);
  gate.open();
  expect((await untilEnd(api, path)).status).toBe("completed");
  expect([ledger.count(`${id}:busy`), ledger.count(`${id}:next`)]).toEqual([1, 1]);
});

test("accepts one of fifty concurrent answers to each of three questions", async () => {
  const names = ["a", "b", "c"];
  const { path } = await start(api, space, await newWorkflow(api, space, definition(names.map(id => ask(id)))));
  await untilEvent(api, path, "execution.suspended");
  const tries = names.flatMap(nodeId => Array.from({ length: 50 }, (_, data) => ({ nodeId, data })));
  const answers = await Promise.all(tries.map(body => api.patch(`${path}/respond`, body)));
  const taken = tries.filter((_, i) => answers[i]?.status === 200);
  expect(taken.map(({ nodeId }) => nodeId).sort()).toEqual(names);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  const { output } = await untilEnd(api, path);
  for (const { nodeId, data } of taken) expect(output[nodeId].data).toBe(data);
});

test("lets one question expire while others wait and can still be answered", async () => {
  const what = definition(
    [ask("slow"), ask("quick", { expiresInMs: 150 }), gives("late", "too late")],
    "quick:timeout > late",
  );
  const { path } = await start(api, space, await newWorkflow(api, space, what));
  await eventually(async () => (await readLog(api, path)).some(e => e.nodeId === "late"), "the time was over");
  await eventually(async () => (await read(api, path)).status === "suspended", "it waits again");
  expect(await asking(path)).toEqual(["slow"]);
  expect((await api.patch(`${path}/respond`, { nodeId: "quick" })).status).toBe(409);
  expect((await api.patch(`${path}/respond`, { nodeId: "slow" })).status).toBe(200);
  expect((await untilEnd(api, path)).output).toMatchObject({ late: "too late", slow: { approved: true } });
});

test("notifies people who are asked, and people whose run failed", async () => {
  const { body: me } = await api.get("/v1/auth/me");
  const what = definition([
    ask("a", { assignees: [me.id] }),
    node("n", "notify", { title: "Hi {{ input }}", body: "there", role: "viewer" }),
  ]);
  const { path } = await start(api, space, await newWorkflow(api, space, what), "you");
  const news = async (type: string) => ((await read(api, "/v1/notifications")) as Json[]).filter(n => n.type === type);
  const told = async () => (await news("approval_needed")).filter(({ link }) => link === path);
  await eventually(async () => (await told()).length > 0, "it is told");
  expect(await told()).toMatchObject([{ body: "a?", readAt: null }]);
  expect(await news("message")).toMatchObject([{ title: "Hi you", body: "there", link: path }]);
  await api.patch(`${path}/approve`);
  expect((await untilEnd(api, path)).output).toMatchObject({ n: { notified: 1 } });
  const failing = await start(
    api,
    space,
    await newWorkflow(api, space, definition([node("f", "fail", { message: "odd" })])),
  );
  await eventually(
    async () => (await news("execution_failed")).some(({ link }) => link === failing.path),
    "it is told",
  );
});
