import { type AgentStage, closeAgentStage, functionsIn, openAgentStage, resultsIn } from "../support/agents.ts";
import { type Json, newWorkflow, runToEnd } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { read } from "../support/executions.ts";
import { type ModelResponse, callTools } from "../support/fake-models.ts";
import { readLog } from "../support/follow.ts";
import { until } from "../support/until.ts";

const weather = {
  name: "weather",
  description: "Tells what the weather in a city is.",
  inputSchema: { type: "object" },
  run: () => ({ content: [{ type: "text" as const, text: "Rain" }] }),
};
let stage: AgentStage;
beforeAll(async () => (stage = await openAgentStage([weather])));
afterAll(() => closeAgentStage(stage));

let goals = 0;
/** An agent whose model says this, turn by turn, with the bodies of its calls. */
function scripted(said: (() => ModelResponse)[], data: object) {
  const goal = `Goal ${++goals}`;
  const bodies: Json[] = [];
  stage.scripts.set(goal, (turn, body) => {
    bodies.push(body);
    return said[turn - 1]?.() ?? "Done.";
  });
  return { what: definition([node("a", "agent", { goal, ...data })]), bodies };
}

test("an agent remembers facts about a customer, and its model learns why tool calls failed", async () => {
  const missing = "01980000-0000-7000-8000-000000000003";
  const data = { toolIds: [], knowledgeBaseIds: [missing], memory: { ingest: true, userId: "customer 7" } };
  const calls = () =>
    callTools(["remember", { content: "I ride a tandem." }], ["search_knowledge", { query: "When do you open?" }]);
  const { what, bodies } = scripted([calls, () => callTools(["search_memory", { query: "tandem" }])], data);
  expect((await runToEnd(stage.api, stage.space, what)).status).toBe("completed");
  const [remembered, passages, memories] = resultsIn(bodies[2]);
  expect(remembered).toMatch(/1 new/);
  expect(passages).toMatch(/No such knowledge base/);
  expect(memories).toMatch(/tandem/);
  expect(await read(stage.api, `${stage.workspace}/memories?userId=customer%207`)).toHaveLength(1);
});

test("an agent without toolIds gets only tools of servers that are open to agents", async () => {
  const { api, space, workspace } = stage;
  const [server] = await read(api, `${workspace}/mcp-servers`);
  const path = `${workspace}/mcp-servers/${server.id}`;
  expect(server.agents).toBe(true);
  const has = async () => {
    const { what, bodies } = scripted([() => callTools(["find_tools", { query: "weather" }])], {});
    const run = await runToEnd(api, space, what);
    return {
      names: functionsIn(bodies[0]),
      found: resultsIn(bodies[1])[0],
      log: await readLog(api, `${space}/executions/${run.id}`),
    };
  };
  expect((await has()).names).toContain("weather");
  expect((await api.patch(path, { agents: false })).body.agents).toBe(false);
  const without = await has();
  expect(without.names).toEqual(["find_tools"]);
  expect(without.found).toMatch(/no MCP server of the workspace is marked `agents: true`/);
  expect(without.log.map(({ message }) => message).join()).toMatch(/marked `agents: true`/);
  expect((await api.patch(path, { agents: true })).body.agents).toBe(true);
  const { body } = await api.post(`${workspace}/mcp-servers`, { name: "Other", url: "http://127.0.0.1:9/" });
  expect(body.agents).toBe(false);
});

test("an agent without toolIds gets only operations of APIs that are open to agents", async () => {
  const { api, space, workspace } = stage;
  const document = {
    ...{ openapi: "3.1.0", info: { title: "Café", version: "1" }, servers: [{ url: "http://127.0.0.1:9" }] },
    paths: { "/roasts": { post: { operationId: "roastCoffee", summary: "Roast coffee beans" } } },
  };
  const { body: made } = await api.post(`${workspace}/apis`, { name: "Café", document });
  const path = `${workspace}/apis/${made.id}`;
  await until(async () => (await read(api, `${path}/operations`)).length === 1);
  const found = async () => {
    const { what, bodies } = scripted([() => callTools(["find_tools", { query: "roast coffee" }])], {});
    await runToEnd(api, space, what);
    return resultsIn(bodies[1])[0];
  };
  expect(made.agents).toBe(false);
  expect(await found()).not.toMatch(/roastCoffee/);
  expect((await api.patch(path, { agents: true })).body.agents).toBe(true);
  expect(await found()).toMatch(/roastCoffee/);
});

test("an agent in a webhook run has no memory unless it names a subject", async () => {
  const { api, space } = stage;
  const { what, bodies } = scripted([() => "No memory."], { toolIds: [], memory: { ingest: true } });
  const workflowId = await newWorkflow(api, space, what);
  const { id, secret } = (await api.post(`${space}/webhooks`, { workflowId })).body;
  const headers = { "x-webhook-secret": secret as string, prefer: "wait=30" };
  const { body } = await api.post(`/v1/webhooks/${id}/trigger`, null, headers);
  expect(body).toMatchObject({ status: "completed", output: { text: "No memory." } });
  expect(functionsIn(bodies[0])).toEqual([]);
  const lines = await readLog(api, `${space}/executions/${body.id}`);
  const message = lines.map(line => line.message).find(line => line.includes("without memory"));
  expect(message).toMatch(/\/data\/memory\/userId: Required/);
});
