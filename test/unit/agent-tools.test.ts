import type { ServiceBroker } from "moleculer";
import type { AgentData } from "../../core/graph/agent-data.ts";
import { policy } from "../../core/graph/definition.ts";
import type { LogLine } from "../../core/run/entry.ts";
import { agent } from "../../services/executions/engine/steps/agent.ts";
import type { StepContext } from "../../services/executions/engine/steps/step.ts";

const toolOf = (id: string, chars: number) => ({
  ...{ id, name: `tool-${id}`, title: null, serverName: "Shop", description: "" },
  inputSchema: { type: "object", description: "x".repeat(chars) },
});

/** An agent with these tools, of which one answer has room for `room`, and whose model answers at once. */
async function run(tools: ReturnType<typeof toolOf>[], room: number, toolIds = tools.map(({ id }) => id)) {
  const log: LogLine[] = [];
  const offered: string[] = [];
  const actions: Record<string, (params: never) => unknown> = {
    "mcp.tools.describe": ({ toolIds: ids }: { toolIds: string[] }) => {
      const found = tools.filter(({ id }) => ids.includes(id));
      return { tools: found.slice(0, room), leftOut: found.slice(room).map(({ id }) => id) };
    },
    "models.chat": ({ tools: functions = [] }: { tools?: { name: string }[] }) => {
      offered.push(...functions.map(({ name }) => name));
      return { text: "Done.", usage: { inputTokens: 1, outputTokens: 1 } };
    },
  };
  const context = {
    ...{ doc: { id: "run", workspaceId: "w" }, at: { nodeId: "a" }, policy: policy.parse({}), records: [] },
    signal: new AbortController().signal,
    record: () => Promise.resolve(),
    log: (line: LogLine) => void log.push(line),
    parts: {
      broker: { call: (name: string, params: never) => Promise.resolve(actions[name]!(params)) } as unknown,
      modelWords: { areWanted: () => false },
    },
  } as unknown as StepContext & { parts: { broker: ServiceBroker } };
  const data = { goal: "Buy", toolIds, maxTurns: 2 } as AgentData;
  return { result: await agent(data, context, () => Promise.resolve()), offered, log };
}

describe("an agent's tools", () => {
  it("are all known, even if their definitions exceed one answer", async () => {
    const { result, offered, log } = await run(
      Array.from({ length: 7 }, (_, at) => toolOf(String(at), 10)),
      3,
    );
    expect(result).toMatchObject({ kind: "done", output: { text: "Done." } });
    expect(offered).toHaveLength(7);
    expect(log).toEqual([]);
  });

  it("are named in the log if they are too long together for the model", async () => {
    const { result, offered, log } = await run(
      Array.from({ length: 3 }, (_, at) => toolOf(String(at), 50_000)),
      1,
    );
    expect(result).toMatchObject({ kind: "done" });
    expect(offered).toEqual(["tool-1", "tool-2"]);
    expect(log).toEqual([
      { level: "warn", message: "Not offered, because the descriptions are too long together: tool-0." },
    ]);
  });

  it("that are missing are reported", async () => {
    const { result } = await run([toolOf("0", 10)], 1, ["0", "1"]);
    expect(result).toMatchObject({ kind: "failed", error: { code: "tool_not_found", message: "There is no tool 1." } });
  });
});
