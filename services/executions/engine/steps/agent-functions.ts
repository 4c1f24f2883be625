import { call } from "../../../../contracts/call.ts";
import { AppError } from "../../../../contracts/errors.ts";
import type { McpTool } from "../../../../contracts/entities/mcp-server.ts";
import type { OwnName } from "../../../../core/agent/functions.ts";
import type { AgentData } from "../../../../core/graph/agent-data.ts";
import { timeOfId } from "../../../../core/id-time.ts";
import { derivedId } from "../../../../service-kit/derived-id.ts";
import { callFailure } from "./call-failure.ts";
import { memorySubjectOf, NO_SUBJECT } from "./memory.ts";
import type { StepContext } from "./step.ts";

/** What a function of this service returns to an agent. */
export interface FunctionResult {
  result?: string;
  error?: string;
  /** Tools that the agent may call from now on. */
  found?: McpTool[];
}

const SERVICES: Record<OwnName, string> = {
  find_tools: "The tool service",
  search_knowledge: "The knowledge service",
  search_memory: "The memory service",
  remember: "The memory service",
};
export const NO_AGENT_SERVERS =
  "No tools may be chosen: the agent has no `toolIds`, and no MCP server of the workspace is marked `agents: true`.";
const CALL_MS = 30_000;
const MAX_QUERY_CHARS = 2_000;
const MAX_CONTENT_CHARS = 10_000;
const FOUND_AT_A_TIME = 5;
const PASSAGES_OF_A_BASE = 5;
const MAX_PASSAGES = 8;
const MEMORIES = 10;

type MemoryOptions = Pick<
  Exclude<AgentData["memory"], boolean | undefined>,
  "scope" | "threadId" | "workflowId" | "userId"
>;
const USERS_OWN: MemoryOptions = { scope: "user" };

interface Asked {
  data: AgentData;
  context: StepContext;
  /** It is the same for every attempt of this call, and different for every other call. */
  key: string;
}

function textIn(args: Record<string, unknown>, name: string, max: number): string | undefined {
  const value = args[name];
  return typeof value === "string" && value.trim() !== "" && value.length <= max ? value : undefined;
}

async function findTools(query: string, { context: { doc, parts } }: Asked): Promise<FunctionResult> {
  const wanted = { workspaceId: doc.workspaceId, query, limit: FOUND_AT_A_TIME };
  const { tools: found, servers } = await call(parts.broker, "mcp.tools.find", wanted, { timeout: CALL_MS });
  return servers === 0 ? { error: NO_AGENT_SERVERS } : { found };
}

async function searchKnowledge(query: string, { data, context: { doc, parts } }: Asked): Promise<FunctionResult> {
  const question = { workspaceId: doc.workspaceId, query, limit: PASSAGES_OF_A_BASE };
  const answers = await Promise.all(
    (data.knowledgeBaseIds ?? []).map(knowledgeBaseId =>
      call(parts.broker, "knowledge.retrieve", { ...question, knowledgeBaseId }, { timeout: CALL_MS }),
    ),
  );
  const best = answers.flatMap(({ matches }) => matches).sort((a, b) => b.score - a.score);
  const passages = best.slice(0, MAX_PASSAGES).map(({ content, metadata }) => ({ content, metadata }));
  return { result: passages.length > 0 ? JSON.stringify(passages) : "Nothing is found." };
}

/** The subject and the scope of the memories. */
function placeOf({ data: { memory }, context: { doc }, key }: Asked) {
  const { scope, threadId, workflowId, userId } = typeof memory === "object" ? memory : USERS_OWN;
  const about = memorySubjectOf(doc, userId);
  if (about === undefined)
    throw new AppError("validation_failed", { errors: [{ path: "/userId", message: NO_SUBJECT }] });
  const sessionId = derivedId(timeOfId(doc.id), `memory ${key}`);
  const { workspaceId, startedBy: actorId } = doc;
  return { scope, threadId, workflowId, workspaceId, actorId, userId: about, sessionId };
}

async function searchMemory(query: string, asked: Asked): Promise<FunctionResult> {
  const question = { ...placeOf(asked), query, limit: MEMORIES };
  const found = await call(asked.context.parts.broker, "memory.steps.search", question, { timeout: CALL_MS });
  const shown = found.map(({ content, factType, eventDate }) => ({ content, factType, eventDate }));
  return { result: shown.length > 0 ? JSON.stringify(shown) : "Nothing is remembered." };
}

async function remember(content: string, asked: Asked): Promise<FunctionResult> {
  const { broker } = asked.context.parts;
  if (asked.context.dry === "all") return { error: "Nothing is remembered: this is a test." };
  const made = await call(broker, "memory.steps.ingest", { ...placeOf(asked), content }, { timeout: CALL_MS });
  return { result: `Remembered: ${made.memoriesCreated} new, ${made.memoriesUpdated} corrected.` };
}

/** Performs a function of this service. The model receives a failure as the result. */
export async function callOwn(name: OwnName, args: Record<string, unknown>, asked: Asked): Promise<FunctionResult> {
  const field = name === "remember" ? "content" : "query";
  const max = name === "remember" ? MAX_CONTENT_CHARS : MAX_QUERY_CHARS;
  const text = textIn(args, field, max);
  if (text === undefined) return { error: `arguments.${field}: a text of up to ${max} characters is needed` };
  try {
    switch (name) {
      case "find_tools":
        return await findTools(text, asked);
      case "search_knowledge":
        return await searchKnowledge(text, asked);
      case "search_memory":
        return await searchMemory(text, asked);
      case "remember":
        return await remember(text, asked);
    }
  } catch (error) {
    const { message } = callFailure(error, SERVICES[name], name === "search_knowledge" ? "" : "/memory");
    asked.context.log({ level: "warn", message: `${name}: ${message}` });
    return { error: message };
  }
}
