import { eventually, read } from "./executions.ts";
import type { McpTestTool } from "./mcp-server.ts";
import { answer, completes, type Scenario, type Stage } from "./scenario.ts";

const takes = (name: string) => ({ type: "object", properties: { [name]: { type: "string" } }, required: [name] });
const says = (text: string) => ({ content: [{ type: "text" as const, text }] });

export const TEMPLATE_TOOLS: McpTestTool[] = [
  {
    name: "weather",
    description: "Tells what the weather in a city is.",
    inputSchema: takes("city"),
    run: ({ city }) => says(city === "Graz" ? "Heavy RAIN in Graz" : "Sun all day"),
  },
  {
    name: "order",
    description: "Orders a part.",
    inputSchema: takes("part"),
    run: ({ part }) => says(`ordered a ${String(part)}`),
  },
];

/** Registers the tool server, and returns the id of one of its tools. */
async function toolOf({ api, space, toolServer }: Stage, name: string): Promise<string> {
  const servers = `${space.slice(0, space.indexOf("/spaces/"))}/mcp-servers`;
  const { body } = await api.post(servers, { name: "Shop", url: toolServer });
  const path = `${servers}/${body.id}`;
  await eventually(async () => (await read(api, path)).status === "connected", "the tools are known");
  const tools = (await read(api, `${path}/tools`)) as { id: string; name: string }[];
  return tools.find(tool => tool.name === name)!.id;
}

const WEATHER = "weather-warning";
const AGENT = "agent-with-approval";

const weatherIn =
  (city: string, more: object = {}): Scenario["input"] =>
  async (_url, stage) => ({ toolId: await toolOf(stage, "weather"), arguments: { city }, ...more });
const asks =
  (request: string, more: object = {}): Scenario["input"] =>
  async (_url, stage) => ({ request, toolIds: [await toolOf(stage, "order")], ...more });

/** The expected behaviour of templates that call tools, case by case. */
export const TOOL_TEMPLATE_SCENARIOS: Scenario[] = [
  {
    file: WEATHER,
    says: "warns of what the tool says",
    input: weatherIn("Graz"),
    then: completes({ bad: true, words: ["rain"], report: "Heavy RAIN in Graz", people: 1 }),
  },
  {
    file: WEATHER,
    says: "is quiet where the weather is fine",
    input: weatherIn("Linz"),
    then: completes({ bad: false, report: "Sun all day" }),
  },
  {
    file: WEATHER,
    says: "takes words of one's own",
    input: weatherIn("Linz", { words: ["sun"] }),
    then: completes({ bad: true, words: ["sun"] }),
  },
  {
    file: AGENT,
    says: "orders what a person approves",
    input: asks("Send a new bell."),
    meanwhile: answer({ approved: true }),
    then: completes({ done: true, report: expect.stringContaining("ordered a bell") as string, turns: 2 }),
  },
  {
    file: AGENT,
    says: "orders nothing after a no",
    input: asks("Send a new bell."),
    meanwhile: answer({ approved: false, data: { note: "We have none." } }),
    then: completes({ done: true, report: expect.stringContaining("We have none.") as string }),
  },
  {
    file: AGENT,
    says: "goes on without a call that was not approved in time",
    input: asks("Send a new bell.", { answerWithinMs: 30 }),
    then: completes({ done: true, report: expect.stringContaining("not approved") as string }),
  },
  {
    file: AGENT,
    says: "fails where it never comes to an end",
    input: asks("Send a wheel.", { approve: [] }),
    then: ({ run }) => expect(run).toMatchObject({ status: "failed", error: { code: "max_turns", nodeId: "work" } }),
  },
];
