import { v7 as uuid } from "uuid";
import type { McpCallResult } from "../../adapters/mcp/port.ts";
import type { EventOf } from "../../contracts/events.ts";
import { hint } from "../../contracts/call.ts";
import { type FakeServer, fakeTool } from "../support/fake-mcp-clients.ts";
import { onThisNode } from "../../service-kit/on-this-node.mixin.ts";
import { ToolCallsInProgress } from "../../services/mcp/calls.ts";
import { servers } from "../../services/mcp/model.ts";
import { HANG_MS } from "../support/hang.ts";
import { McpStage } from "../support/mcp-stage.ts";
import { ownDataDir, refusal, until } from "../support/service-node.ts";

ownDataDir();

const stage = new McpStage();
const progress: EventOf<"mcp.call.progress">[] = [];
const listener = {
  name: "listener",
  mixins: [onThisNode("mcp.call.progress")],
  events: {
    "mcp.call.progress"(ctx: { params: EventOf<"mcp.call.progress"> }) {
      progress.push(ctx.params);
    },
  },
};

let fake: FakeServer;
let serverId = "";
const ids = new Map<string, string>();
const hostile = `^(${"(a+)+".repeat(3)})+$`;
beforeAll(async () => {
  await stage.open(listener as never);
  const served = stage.serve([]);
  fake = served.fake;
  const properties = { to: { type: "string" }, count: { type: "integer", minimum: 1 }, at: { type: "object" } };
  fake.tools = [
    fakeTool("send", { inputSchema: { type: "object", properties, required: ["to"], additionalProperties: false } }),
    fakeTool("hostile", {
      inputSchema: { type: "object", properties: { text: { type: "string", pattern: hostile } } },
    }),
    fakeTool("free"),
    fakeTool("paired", {
      // A tuple, as the drafts before 2020-12 have it.
      inputSchema: {
        type: "object",
        properties: {
          pair: { type: "array", items: [{ type: "string" }, { type: "number" }], additionalItems: false },
          above: { type: "number", minimum: 1, exclusiveMinimum: true },
        },
      },
      outputSchema: { type: "object", required: ["sum"] },
    }),
  ];
  const { id } = await stage.synced(served.url);
  serverId = id;
  for (const tool of await stage.tools(id)) ids.set(tool.name, tool.id);
});
afterAll(() => stage.node.stop());

const call = (tool: string, args: Record<string, unknown> = {}) =>
  stage.node.act(stage.owner, "mcp.tools.call", {
    ...{ workspaceId: stage.workspaceId, toolId: ids.get(tool)! },
    arguments: args,
  });
const invoke = (callId: string, more: object = {}) =>
  stage.node.act(null, "mcp.tools.invoke", {
    ...{ workspaceId: stage.workspaceId, toolId: ids.get("free")!, arguments: {}, timeoutMs: 10_000, callId },
    ...more,
  });
const usual: FakeServer["call"] = (tool, args) =>
  Promise.resolve({ content: [{ type: "text", text: tool }], structuredContent: args, isError: false });
/** Lets calls wait until it is told what they give. */
function holdCalls() {
  const answer = Promise.withResolvers<McpCallResult>();
  fake.call = () => answer.promise;
  return (result: McpCallResult = { content: [], isError: false }) => answer.resolve(result);
}
beforeEach(() => (fake.call = usual));

describe("a call of a tool", () => {
  it("returns what the tool returns, including its errors", async () => {
    expect(await call("send", { to: "ada" })).toEqual({
      ...{ content: [{ type: "text", text: "send" }], structuredContent: { to: "ada" }, isError: false },
    });
    const letGo = holdCalls();
    const asked = call("free");
    letGo({ content: [{ type: "text", text: "no" }], isError: true });
    expect(await asked).toEqual({ content: [{ type: "text", text: "no" }], isError: true });
  });

  it("is rejected with arguments that do not match the tool's schema, each named", async () => {
    const before = stage.clients.calls.length;
    const faults = async (args: Record<string, unknown>) => {
      const error: unknown = await call("send", args).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ type: "tool_arguments_invalid" });
      return (error as { data: { errors: { path: string }[] } }).data.errors.map(({ path }) => path);
    };
    expect(await faults({})).toContain("/arguments");
    expect(await faults({ to: 7, count: 0 })).toEqual(expect.arrayContaining(["/arguments/to", "/arguments/count"]));
    expect(await faults({ to: "a", other: 1 })).toEqual(expect.arrayContaining(["/arguments/other"]));
    expect(stage.clients.calls.length).toBe(before);
  });

  it("is checked by schemas of earlier drafts too, with the required arguments named", async () => {
    for (const [args, path] of [
      [{ pair: ["a", 1, 2] }, "/arguments/pair/2"],
      [{ above: 1 }, "/arguments/above"],
    ] as const) {
      const errors = expect.arrayContaining([expect.objectContaining({ path })]) as unknown;
      await expect(call("paired", args)).rejects.toMatchObject({ type: "tool_arguments_invalid", data: { errors } });
    }
    await call("paired", { pair: ["a", 1], above: 2 });
    expect(stage.clients.calls.at(-1)!.options.outputSchema).toEqual({ type: "object", required: ["sum"] });
    await call("free");
    expect(stage.clients.calls.at(-1)!.options.outputSchema).toBeUndefined();
  });

  it("is not blocked by a schema that would take forever to evaluate, nor is other work", async () => {
    const slow = call("hostile", { text: `${"a".repeat(60)}!` });
    expect(await call("send", { to: "meanwhile" })).toMatchObject({ isError: false });
    expect(await slow).toMatchObject({ isError: false });
  });

  it("carries the key that is the same for every attempt, and the time limit", async () => {
    await invoke("keyed", { idempotencyKey: "run:step", timeoutMs: 1_234 });
    const { options } = stage.clients.calls.at(-1)!;
    expect(options).toMatchObject({ timeoutMs: 1_234, meta: { "weft/idempotencyKey": "run:step" } });
  });

  it.each([
    ["mcp_unreachable", "tool_server_unavailable"],
    ["mcp_busy", "tool_server_unavailable"],
    ["mcp_unauthorized", "tool_server_refused"],
    ["mcp_refused", "tool_server_refused"],
    ["mcp_timeout", "tool_timeout"],
    ["mcp_protocol", "tool_call_failed"],
    ["mcp_call_failed", "tool_call_failed"],
  ] as const)("that fails with %s is %s, with the words for people", async (code, type) => {
    fake.failure = { code, message: "What went wrong" };
    const error: unknown = await call("free").catch((reason: unknown) => reason);
    fake.failure = undefined;
    expect(error).toMatchObject({ type, data: { detail: "What went wrong" } });
  });

  it("ends when its last caller gives up, and not before", async () => {
    const letGo = holdCalls();
    const before = stage.clients.calls.length;
    const [mine, other] = [invoke("mine"), invoke("other")];
    await until(() => stage.clients.calls.length === before + 2);
    hint(stage.node.broker, "all", "mcp.call.cancelled", { workspaceId: uuid(), callId: "mine" });
    hint(stage.node.broker, "all", "mcp.call.cancelled", { workspaceId: stage.workspaceId, callId: "mine" });
    await expect(mine).rejects.toMatchObject({ type: "tool_call_failed", data: { detail: "The call was cancelled." } });
    letGo();
    expect(await other).toMatchObject({ isError: false });
  });

  it("ends at its time limit", async () => {
    const letGo = holdCalls();
    await expect(invoke("late", { timeoutMs: 5 })).rejects.toEqual(refusal("tool_timeout"));
    letGo();
  });

  it("reports progress at most a few times per second", async () => {
    fake.call = (_tool, _args, { onProgress }) => {
      for (let at = 1; at <= 100; at++) onProgress!({ progress: at, total: 100, message: "at it" });
      return Promise.resolve({ content: [], isError: false });
    };
    await invoke("told");
    expect(progress).toEqual([
      { workspaceId: stage.workspaceId, callId: "told", progress: 1, total: 100, message: "at it" },
    ]);
  });

  it("fails when its result is too large to pass on", async () => {
    const letGo = holdCalls();
    const asked = call("free");
    letGo({ content: [{ type: "text", text: "x".repeat(600_000) }], isError: false });
    await expect(asked).rejects.toMatchObject({
      type: "tool_call_failed",
      data: { detail: expect.stringContaining("exceeds") },
    });
  });

  it("waits for its turn at a busy server, and is rejected when too many calls wait", async () => {
    const letGo = holdCalls();
    const before = stage.clients.calls.length;
    // Each call reads its tool first, so the last to be asked are not always the last to come.
    const refusals: unknown[] = [];
    const asked = Array.from({ length: 300 }, (_, at) => invoke(`many-${at}`, { timeoutMs: HANG_MS }));
    for (const one of asked) one.catch((error: unknown) => refusals.push(error));
    const settled = Promise.allSettled(asked);
    await until(() => refusals.length === 300 - 32 - 256);
    for (const error of refusals) expect(error).toEqual(refusal("tool_server_unavailable"));
    expect(stage.clients.calls.length - before).toBe(32);
    letGo();
    const ends = await settled;
    expect(ends.filter(({ status }) => status === "fulfilled").length).toBe(32 + 256);
  });

  it("leaves most sessions of a node to other workspaces when many servers of one workspace hang", async () => {
    const answer = Promise.withResolvers<McpCallResult>();
    const begun = jest.fn(() => answer.promise);
    const hanging = Array.from({ length: 3 }, () => stage.serve(["hang"], { call: begun }));
    const made = await Promise.all(hanging.map(async ({ url }) => stage.tools((await stage.synced(url)).id)));
    const toolIds = made.map(([tool]) => tool!.id);
    const asked = toolIds.flatMap((toolId, i) =>
      Array.from({ length: 32 }, (_, at) => invoke(`hang-${i}-${at}`, { toolId })),
    );
    await until(() => begun.mock.calls.length >= 64);
    // What it asks last is begun last.
    await expect(invoke("late", { toolId: toolIds[2]!, timeoutMs: 20 })).rejects.toEqual(refusal("tool_timeout"));
    expect(begun).toHaveBeenCalledTimes(64);
    answer.resolve({ content: [], isError: false });
    await Promise.all(asked);
  });

  it("is aborted by a stopping node after a grace period, so that its caller can repeat it", async () => {
    const server = (await stage.service.store.tenant(servers, stage.workspaceId).get({ id: serverId }))!;
    const calls = new ToolCallsInProgress(stage.service);
    const run = (callId: string) =>
      calls.run(
        server,
        { name: "free", outputSchema: null },
        { workspaceId: stage.workspaceId, arguments: {}, timeoutMs: 10_000, callId },
      );
    const letGo = holdCalls();
    const finishes = run("finishes");
    holdCalls();
    const hangs = run("hangs");
    const stopped = calls.stop(50);
    letGo();
    expect(await finishes).toMatchObject({ isError: false });
    await expect(hangs).rejects.toEqual(refusal("unavailable"));
    await stopped;
    await expect(run("later")).rejects.toEqual(refusal("unavailable"));
  });

  it("is rejected for a tool or a server that no longer exists", async () => {
    await expect(invoke("none", { toolId: uuid() })).rejects.toEqual(refusal("not_found"));
    await stage.node.act(stage.owner, "mcp.remove", { workspaceId: stage.workspaceId, id: serverId });
    await expect(call("free")).rejects.toEqual(refusal("not_found"));
  });
});
