import {
  type AgentStage,
  callsOf,
  closeAgentStage,
  functionsIn,
  modelEnv,
  openAgentStage,
  resultsIn,
} from "../support/agents.ts";
import { type Json, newWorkflow, runToEnd } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { eventually, read, start } from "../support/executions.ts";
import { type ModelResponse, callTools } from "../support/fake-models.ts";
import { readLog, untilEnd, untilEvent } from "../support/follow.ts";
import { Gate } from "../support/ledger.ts";
import { startServer } from "../support/server.ts";

const words = (text: unknown) => ({ content: [{ type: "text" as const, text: String(text) }] });
const takes = (...names: string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map(name => [name, { type: "string" }])),
  required: names,
});
/** Held back from the moment that a test sets it. */
let gate: Gate | undefined;
let flaky = 0;
let heardOfCancel = Promise.withResolvers<void>();

const tools = [
  {
    name: "weather",
    description: "Tells what the weather in a city is.",
    inputSchema: takes("city"),
    run: ({ city }: Json) => ({ ...words(`Rain in ${city}`), structuredContent: { city, rain: true } }),
  },
  {
    name: "order",
    title: "Order a part",
    description: "Orders a spare part of a bicycle.",
    inputSchema: takes("part"),
    async run({ part }: Json) {
      if (part === "held") await gate?.opened;
      return words(`Ordered ${part}`);
    },
  },
  {
    name: "flaky",
    description: "Breaks as often as it is told.",
    inputSchema: { type: "object" },
    run: () => (flaky-- > 0 ? { ...words("It broke down"), isError: true } : words("At last")),
  },
  {
    name: "slow",
    description: "Takes its time and says how far it is.",
    inputSchema: { type: "object" },
    async run(
      _args: Json,
      { signal, progress }: { signal: AbortSignal; progress: (n: number, of: number, what: string) => Promise<void> },
    ) {
      await progress(1, 3, "begun");
      await new Promise<void>(done => signal.addEventListener("abort", () => done(), { once: true }));
      heardOfCancel.resolve();
      return words("");
    },
  },
];

let stage: AgentStage;
beforeAll(async () => void (stage = await openAgentStage(tools)));
beforeEach(() => {
  stage.mcp.requests.length = 0;
  heardOfCancel = Promise.withResolvers<void>();
});
afterAll(() => closeAgentStage(stage));

const run = (what: unknown, input?: unknown) => runToEnd(stage.api, stage.space, what, input);
const logOf = ({ id }: Json) => readLog(stage.api, `${stage.space}/executions/${id}`);
const begin = async (what: unknown) => start(stage.api, stage.space, await newWorkflow(stage.api, stage.space, what));
const tried = async (made: object): Promise<Json> => {
  const workflowId = await newWorkflow(stage.api, stage.space, definition([made]));
  return (await stage.api.post(`${stage.space}/workflows/${workflowId}/test`, { nodeId: "a" })).body;
};

describe("the tool step", () => {
  const tool = (name: string, args: object = {}, policy: object = {}) =>
    definition([node("a", "tool", { toolId: stage.tools[name], arguments: args }, { policy })]);

  it("returns the tool's result, and records its arguments", async () => {
    const ran = await run(tool("weather", { city: "{{ input }}" }), "Graz");
    expect(ran.output).toEqual({
      ...words("Rain in Graz"),
      structuredContent: { city: "Graz", rain: true },
      isError: false,
    });
    const completed = (await logOf(ran)).find(({ event }) => event === "step.completed");
    expect(completed!.input).toEqual({ toolId: stage.tools.weather, arguments: { city: "Graz" } });
  });

  it("reports invalid arguments by field, without retries", async () => {
    const ran = await run(tool("weather", { city: 7 }, { retry: { maxAttempts: 3, initialMs: 0 } }));
    const message = expect.stringMatching(/\/arguments\/city: /) as string;
    expect(ran.error).toMatchObject({ code: "tool_arguments_invalid", message, nodeId: "a" });
    expect((await logOf(ran)).filter(({ event }) => event === "step.started")).toHaveLength(1);
    expect(callsOf(stage)).toEqual([]);
  });

  it("fails with the error text of the tool, and sends the same idempotency key with every attempt", async () => {
    flaky = 1;
    const failed = await run(tool("flaky"));
    expect(failed.error).toMatchObject({ code: "tool_error", message: "It broke down" });
    flaky = 2;
    const again = await run(tool("flaky", {}, { retry: { maxAttempts: 3, initialMs: 0 } }));
    expect(again.output).toEqual({ ...words("At last"), isError: false });
    expect(callsOf(stage).map(({ key }) => key)).toEqual([`${failed.id}:a`, ...new Array(3).fill(`${again.id}:a`)]);
  });

  it("shows progress, and cancels the call at the server when the run is cancelled", async () => {
    const { path } = await begin(tool("slow"));
    const told = async () =>
      (await readLog(stage.api, path)).some(({ message }) => message === "The tool: 1 of 3, begun");
    await eventually(told, "its progress is in the log");
    expect((await stage.api.delete(path)).status).toBe(204);
    await heardOfCancel.promise;
    expect((await untilEnd(stage.api, path)).status).toBe("cancelled");
  });

  it("is cancelled at the server on a timeout", async () => {
    const ran = await run(tool("slow", {}, { timeoutMs: 200 }));
    expect(ran.error).toMatchObject({ code: "step_timeout" });
    await heardOfCancel.promise;
  });

  it("rejects unknown tools, and calls no tool in a test run", async () => {
    const missing = { toolId: "01890000-0000-7000-8000-000000000000" };
    expect((await run(definition([node("a", "tool", missing)]))).error).toMatchObject({ code: "tool_not_found" });
    const trial = await tried(node("a", "tool", { toolId: stage.tools.weather, arguments: { city: "Graz" } }));
    expect(trial).toMatchObject({ outcome: "completed", output: { called: false }, log: [{ level: "warn" }] });
    expect(callsOf(stage)).toEqual([]);
  });
});

describe("the agent step", () => {
  let goals = 0;
  const agent = (data: object = {}, extra: object = {}) => {
    const goal = `Goal ${++goals}`;
    return { goal, made: node("a", "agent", { goal, ...data }, extra) };
  };
  /** An agent whose model says this, turn by turn. */
  const scripted = (said: ((body: Json) => ModelResponse)[], data: object = {}) => {
    const { goal, made } = agent(data);
    const bodies: Json[] = [];
    stage.scripts.set(goal, (turn, body) => {
      bodies.push(body);
      return said[turn - 1]?.(body) ?? "Nothing more.";
    });
    return { made, what: definition([made]), bodies };
  };

  it("finds tools by its goal, calls several in a turn, finds more, and answers with their results", async () => {
    const { what, bodies } = scripted([
      () => callTools(["weather", { city: "Graz" }], ["weather", { city: "Linz" }]),
      () => callTools(["find_tools", { query: "order a spare part" }]),
      body => `It says: ${resultsIn(body)[1]}`,
    ]);
    const ran = await run(what);
    expect(ran.output).toEqual({
      text: "It says: <data>\nRain in Linz\n</data>",
      turns: 3,
      usage: { inputTokens: expect.any(Number) as number, outputTokens: expect.any(Number) as number },
      finishReason: "answered",
    });
    expect(functionsIn(bodies[0])).toEqual(expect.arrayContaining(["find_tools", "weather"]));
    expect(functionsIn(bodies[2])).toContain("order");
    expect(resultsIn(bodies[2])[2]).toMatch(/order: Orders a spare part/);
    const log = (await logOf(ran)).filter(({ event }) => event === "step.log");
    expect(log.map(({ output }) => output)).toEqual([
      { tools: expect.any(Array) as unknown },
      expect.objectContaining({ turn: 1, calls: [expect.anything(), expect.anything()] }),
      { turn: 1, callId: "call_0", tool: "weather", result: "Rain in Graz" },
      { turn: 1, callId: "call_1", tool: "weather", result: "Rain in Linz" },
      expect.objectContaining({ turn: 2 }),
      expect.objectContaining({ turn: 2, tool: "find_tools" }),
      expect.objectContaining({ turn: 3, calls: [], text: ran.output.text as string }),
    ]);
    expect(callsOf(stage).map(({ key }) => key)).toEqual([`${ran.id}:a:1.0`, `${ran.id}:a:1.1`]);
  });

  it("returns failures to the model, so that it can correct itself", async () => {
    flaky = 1;
    const { what, bodies } = scripted(
      [
        () => callTools(["nothing", {}], ["weather", "{city:"], ["weather", { town: 1 }], ["flaky", {}]),
        () => callTools(["weather", { city: "Graz" }]),
      ],
      { toolIds: [stage.tools.weather, stage.tools.flaky] },
    );
    expect((await run(what)).status).toBe("completed");
    const told = resultsIn(bodies[2]);
    expect(told[0]).toMatch(/no function "nothing". There are: weather, flaky/);
    expect(told[1]).toMatch(/not a JSON object/);
    expect(told[2]).toMatch(/arguments.*city/s);
    expect(told[3]).toMatch(/It broke down/);
    expect(told[4]).toMatch(/Rain in Graz/);
  });

  it("ends with an answer when it reaches its limit of turns", async () => {
    const more = () => callTools(["weather", { city: "Graz" }]);
    const data = { toolIds: [stage.tools.weather], maxTurns: 2 };
    const { what, bodies } = scripted([more, () => "So far: rain."], data);
    expect((await run(what)).output).toMatchObject({ text: "So far: rain.", turns: 2, finishReason: "max_turns" });
    expect(bodies[1].tool_choice).toBe("none");
    expect((await run(scripted([more, more], data).what)).error).toMatchObject({ code: "max_turns" });
  });

  it("searches knowledge, remembers, and acts for the person who started it", async () => {
    const { api, workspace } = stage;
    const base = (await api.post(`${workspace}/knowledge-bases`, { name: "Handbook" })).body;
    await api.post(`${workspace}/knowledge-bases/${base.id}/entries`, { content: "The shop opens at seven" });
    const data = { toolIds: [], knowledgeBaseIds: [base.id], memory: { ingest: true } };
    const { what, bodies } = scripted(
      [
        () =>
          callTools(
            ["search_knowledge", { query: "When does the shop open?" }],
            ["remember", { content: "I ride a tandem." }],
          ),
        () => callTools(["search_memory", { query: "tandem" }]),
      ],
      data,
    );
    expect((await run(what)).status).toBe("completed");
    expect(functionsIn(bodies[0])).toEqual(["search_knowledge", "search_memory", "remember"]);
    const [passages, remembered, memories] = resultsIn(bodies[2]);
    expect(passages).toMatch(/opens at seven/);
    expect(remembered).toMatch(/1 new/);
    expect(memories).toMatch(/tandem/);
  });

  const asking = (data: object = {}) => {
    const call = () => callTools(["order", { part: "bell" }]);
    return scripted([call, body => resultsIn(body)[0]!], { toolIds: [stage.tools.order], approve: "all", ...data });
  };

  it("asks before a call that needs approval, accepts one of many answers, and makes the call once", async () => {
    const { path } = await begin(asking().what);
    await untilEvent(stage.api, path, "execution.suspended");
    const { suspension } = await read(stage.api, path);
    expect(suspension.prompt).toMatch(/"Order a part \(order\)" of the server "Shop".*"part": "bell"/s);
    expect(suspension.form.properties).toHaveProperty("approved");
    expect(callsOf(stage)).toEqual([]);
    const bad = await stage.api.patch(`${path}/respond`, { approved: true, data: { approved: "perhaps" } });
    expect(bad.status).toBe(400);
    const answers = await Promise.all(Array.from({ length: 10 }, () => stage.api.patch(`${path}/approve`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...new Array(9).fill(409)]);
    expect((await untilEnd(stage.api, path)).output.text).toMatch(/Ordered bell/);
    expect(callsOf(stage)).toHaveLength(1);
    const outcome = (await readLog(stage.api, path)).find(({ message }) => /order gave/.test(message));
    expect(outcome!.output).toMatchObject({ approved: true });
  });

  it("fails before its first turn if a tool that needs approval is not among its tools", async () => {
    const { error } = await run(asking({ approve: [stage.tools.weather] }).what);
    expect(error).toMatchObject({ code: "invalid_data", message: expect.stringContaining("approve") as string });
  });

  it("applies an answer to the question that it names, even if the next question follows at once", async () => {
    const more = (part: string) => () => callTools(["order", { part }]);
    const said = [more("bell"), more("saddle"), (body: Json) => resultsIn(body).join(" ")];
    const { path } = await begin(scripted(said, { toolIds: [stage.tools.order], approve: "all" }).what);
    const asked = async (prompt: RegExp): Promise<Json> => {
      await eventually(async () => prompt.test((await read(stage.api, path)).suspension?.prompt ?? ""), "it asks");
      return (await read(stage.api, path)).suspension;
    };
    const { question } = await asked(/bell/);
    expect((await stage.api.patch(`${path}/approve`, { question })).status).toBe(200);
    const next = await asked(/saddle/);
    expect((await stage.api.patch(`${path}/approve`, { question })).status).toBe(409);
    expect((await stage.api.patch(`${path}/respond`, { approved: true, nodeId: "a", question })).status).toBe(409);
    const { question: second } = next;
    expect((await stage.api.patch(`${path}/respond`, { approved: false, question: second })).status).toBe(200);
    expect((await untilEnd(stage.api, path)).output.text).toMatch(/Ordered bell.*Refused/s);
  });

  it.each([
    ["no", { approved: false, data: { note: "Too dear." } }, /Refused by a person, who says: Too dear\./],
    ["a form that says no", { approved: true, data: { approved: false } }, /Refused by a person\./],
    ["nothing in time", undefined, /the call was not approved in time/],
  ])("tells the model of %s, and makes no call", async (_what, answer, told) => {
    const { path } = await begin(asking(answer ? {} : { expiresInMs: 100 }).what);
    if (answer) {
      await untilEvent(stage.api, path, "execution.suspended");
      expect((await stage.api.patch(`${path}/respond`, answer)).status).toBe(200);
    }
    expect((await untilEnd(stage.api, path)).output.text).toMatch(told);
    expect(callsOf(stage)).toEqual([]);
  });

  it("asks in several items at the same time, and each answer reaches its item", async () => {
    const { made } = asking();
    const each = node("each", "map", { items: [1, 2, 3], concurrency: 3 });
    const { path } = await begin(definition([each, { ...made, parentId: "each" }]));
    const open = async () => ((await read(stage.api, path)).suspensions ?? []) as Json[];
    await eventually(async () => (await open()).length === 3, "each item asks");
    // They ask in the order in which their models have answered.
    const answers = (await open()).map(({ nodeId, path: place }) =>
      stage.api.patch(`${path}/respond`, { nodeId, path: place, approved: place[0].index !== 1 }),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
    const { output } = await untilEnd(stage.api, path);
    const texts = (output as Json[]).map(({ text }) => text as string);
    expect(texts.map(text => text.includes("Ordered"))).toEqual([true, false, true]);
    expect(new Set(callsOf(stage).map(({ key }) => key)).size).toBe(2);
  });

  it("continues from its recorded calls when the step or the run is retried", async () => {
    let silent = 2;
    const policy = { retry: { maxAttempts: 2, initialMs: 0 } };
    const said = [() => callTools(["order", { part: "bell" }]), () => (silent-- > 0 ? "" : "Done.")];
    const { made, bodies } = scripted(said, { toolIds: [stage.tools.order] });
    const failed = await run(definition([{ ...made, policy }]));
    expect(failed.error).toMatchObject({ code: "model_bad_output" });
    expect(bodies).toHaveLength(3);
    const { status, body } = await stage.api.post(`${stage.space}/executions/${failed.id}/retry`);
    expect(status).toBe(201);
    const retried = await untilEnd(stage.api, `${stage.space}/executions/${body.id}`);
    expect(retried.output).toMatchObject({ text: "Done.", turns: 2 });
    expect(bodies).toHaveLength(4);
    expect(callsOf(stage)).toHaveLength(1);
  });

  it.each(["agent", "llm"])(
    "stops the request to the model when the run is cancelled or out of time: %s",
    async type => {
      const data = type === "agent" ? { goal: "Think for long" } : { prompt: "Think for long" };
      const asking = async (policy: object) => {
        stage.models.faults.push("hang");
        const called = stage.models.called();
        const begun = begin(definition([node("a", type, data, { policy })]));
        await called;
        expect(stage.models.underWay).toBe(1);
        return begun;
      };
      const left = () => Promise.resolve(stage.models.underWay === 0);
      const { path } = await asking({});
      expect((await stage.api.delete(path)).status).toBe(204);
      await eventually(left, "its model is asked no more");
      const late = await asking({ timeoutMs: 300 });
      expect((await untilEnd(stage.api, late.path)).error).toMatchObject({ code: "step_timeout" });
      await eventually(left, "its model is asked no more");
    },
  );

  it("calls no tools in a test run, and shows what it would ask", async () => {
    const trial = scripted([() => callTools(["weather", { city: "Graz" }]), body => resultsIn(body)[0]!], {
      toolIds: [stage.tools.weather],
    });
    const done = await tried(trial.made);
    expect(done).toMatchObject({ outcome: "completed", output: { text: expect.stringMatching(/test/) as string } });
    expect((done.log as Json[]).map(({ message }) => message as string)).toContainEqual(
      expect.stringMatching(/calls weather/),
    );
    expect(await tried(asking().made)).toMatchObject({ outcome: "waits", suspension: { nodeId: "a" } });
    expect(callsOf(stage)).toEqual([]);
  });

  it("repeats no finished call when its worker is killed, and keeps its question over a restart", async () => {
    gate = new Gate();
    const parts = ["bell", "saddle", "held", "pump"];
    const { what, bodies } = scripted(
      [
        () => callTools(...parts.map((part): [string, object] => ["order", { part }])),
        body => resultsIn(body).join(" "),
      ],
      { toolIds: [stage.tools.order] },
    );
    const orders = await begin(what);
    const waits = await begin(asking().what);
    await untilEvent(stage.api, waits.path, "execution.suspended");
    await eventually(() => Promise.resolve(callsOf(stage).length === 3), "the third call has come");
    const { server } = stage;
    await server.stop("SIGKILL");
    gate.open();
    const port = Number(new URL(server.url).port);
    stage.server = await startServer({ dataDir: server.dataDir, port, env: modelEnv(stage) });
    expect((await untilEnd(stage.api, orders.path)).output).toMatchObject({
      text: expect.stringMatching(/bell.*saddle.*held.*pump/s) as string,
      turns: 2,
    });
    expect(bodies).toHaveLength(2);
    const made = callsOf(stage).filter(({ key }) => key.startsWith(orders.id));
    expect(made.map(call => call.arguments.part as string)).toEqual(["bell", "saddle", "held", "held", "pump"]);
    expect(made[2]!.key).toBe(made[3]!.key);

    expect((await stage.api.patch(`${waits.path}/approve`)).status).toBe(200);
    expect((await untilEnd(stage.api, waits.path)).output.text).toMatch(/Ordered bell/);
  });
});
