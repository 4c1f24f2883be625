import { type Api, type Json, newWorkspace } from "./api.ts";
import { eventually, read } from "./executions.ts";
import { FakeModels, type ModelResponse } from "./fake-models.ts";
import { type McpTestServer, type McpTestTool, startMcpServer } from "./mcp-server.ts";
import { removeServer, type Server, startServer } from "./server.ts";

/** The model's response for a turn, counted from 1, and the body of the call. */
export type Script = (turn: number, body: Json) => ModelResponse;

/** The results of the tools of a turn, as the model receives them. */
export const resultsIn = (body: Json): string[] =>
  (body.messages as { role: string; content: string }[])
    .filter(({ role }) => role === "tool")
    .map(({ content }) => content);

export const functionsIn = (body: Json): string[] =>
  ((body.tools ?? []) as { function: { name: string } }[]).map(one => one.function.name);

/** A server with a scripted language model, and a tool server whose tools the test defines. */
export interface AgentStage {
  server: Server;
  api: Api;
  space: string;
  workspace: string;
  models: FakeModels;
  mcp: McpTestServer;
  /** Keyed by the goal of the agent. */
  scripts: Map<string, Script>;
  /** Ids of the tools by name. */
  tools: Record<string, string>;
}

const turnOf = (body: Json): number =>
  (body.messages as { role: string }[]).filter(({ role }) => role === "assistant").length + 1;

export const modelEnv = ({ models }: Pick<AgentStage, "models">) => ({
  LLM_BASE_URL: models.baseUrl,
  LLM_MODEL: "big",
  WORKER_LEASE_MS: "1000",
});

export async function openAgentStage(tools: McpTestTool[]): Promise<AgentStage> {
  const scripts = new Map<string, Script>();
  const say = (body: Json): ModelResponse => {
    const goal = (body.messages as { role: string; content: string }[]).find(({ role }) => role === "user")?.content;
    return scripts.get(goal ?? "")?.(turnOf(body), body) ?? `There is no script for ${goal}.`;
  };
  const [models, mcp] = await Promise.all([FakeModels.open({ say }), startMcpServer({ tools, name: "Shop" })]);
  const server = await startServer({ env: modelEnv({ models }) });
  const made = await newWorkspace(server.url);
  const { api, workspaceId } = made;
  const workspace = `/v1/workspaces/${workspaceId}`;
  const { body } = await api.post(`${workspace}/mcp-servers`, { name: "Shop", url: mcp.url, agents: true });
  const path = `${workspace}/mcp-servers/${body.id}`;
  await eventually(async () => (await read(api, path)).status === "connected", "the tools are known");
  const listed = (await read(api, `${path}/tools`)) as { id: string; name: string }[];
  const ids = Object.fromEntries(listed.map(({ id, name }) => [name, id]));
  return { server, ...made, workspace, models, mcp, scripts, tools: ids };
}

export async function closeAgentStage({ server, models, mcp }: AgentStage): Promise<void> {
  await removeServer(server);
  await Promise.all([models.close(), mcp.close()]);
}

interface Called {
  name: string;
  arguments: Json;
  key: string;
}

/** The tool calls that the tool server received, oldest first. */
export const callsOf = ({ mcp }: AgentStage): Called[] =>
  mcp.called("tools/call").map(({ body }) => {
    const { params }: Json = JSON.parse(body);
    return { name: params.name, arguments: params.arguments, key: params._meta["weft/idempotencyKey"] };
  });
