import { keepPreviousData, queryOptions, useMutation } from "@tanstack/react-query";
import type { Execution, Workflow } from "../../sdk/definition.ts";
import { words } from "../messages/en-playground.ts";
import { weft } from "./client.ts";
import { pollEvery } from "./live.ts";
import { createIn } from "./new-workflow.ts";
import { queryClient } from "./query-client.ts";
import { runQuery } from "./run.ts";
import { type Run, runsKey } from "./runs.ts";

/** The label that marks the runs of one conversation. */
const LABEL = "playground";
/** The most messages of a conversation that are shown. */
const MAX = 50;
const LOOK_MS = 15_000;
/** The most earlier runs whose messages are sent with a new message, and the most characters of these messages. */
const MAX_EARLIER = 20;
const MAX_EARLIER_CHARS = 100_000;

const conversationKey = (workspaceId: string, conversation: string) => [...runsKey(workspaceId), "conversation", conversation] as const;

/** Creates an id for a conversation. Pages on plain HTTP have no `randomUUID`. */
export const newConversationId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(12))].map(byte => byte.toString(16).padStart(2, "0")).join("");

/** The runs of a conversation, oldest first. */
export const conversationQuery = (workspaceId: string, conversation: string | undefined) =>
  queryOptions({
    queryKey: conversationKey(workspaceId, conversation ?? ""),
    queryFn: async ({ signal }): Promise<Run[]> => {
      const given = { workspaceId, limit: MAX, label: { [LABEL]: conversation! } };
      return (await weft.executions.listAll(given, { signal })).items.toReversed();
    },
    enabled: conversation !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: pollEvery(LOOK_MS),
  });

/** A message of a conversation, in the form that agents take. */
interface Message {
  role: "user" | "assistant";
  content: string;
}

interface SentMessage {
  workflow: Pick<Workflow, "id" | "spaceId">;
  conversation: string;
  input: Record<string, string | Message[]>;
}

/** Starts a run with a message. */
export const useSendMessage = (workspaceId: string) =>
  useMutation({
    mutationFn: ({ workflow, conversation, input }: SentMessage): Promise<Execution> =>
      weft.executions.start({
        ...{ workspaceId, spaceId: workflow.spaceId, workflowId: workflow.id, input },
        labels: { [LABEL]: conversation },
      }),
    onSuccess: (_run, { conversation }) => queryClient.invalidateQueries({ queryKey: conversationKey(workspaceId, conversation) }),
    meta: { shown: true },
  });

/** Creates a workflow with one agent that has a memory of the user and asks before each tool call. */
export const makeAgent = (workspaceId: string): Promise<Workflow> =>
  createIn({ workspaceId, spaceId: workspaceId }, words.made, {
    nodes: [
      {
        ...{ id: "start", type: "trigger", name: "Message", position: { x: 0, y: 0 } },
        data: { example: { question: "What can you do?" } },
      },
      {
        ...{ id: "agent", type: "agent", name: words.made, position: { x: 312, y: 0 } },
        data: { goal: "{{ input.question }}", messages: "{{ input.messages }}", memory: true, approve: "all" },
      },
    ],
    edges: [{ id: "start-agent", source: "start", target: "agent" }],
    settings: {
      inputSchema: {
        type: "object",
        properties: {
          question: { type: "string" },
          threadId: { type: "string" },
          messages: { type: "array", default: [] },
        },
        required: ["question"],
      },
    },
  });

/** The fields of an agent step that the page shows. */
export interface AgentData {
  system?: string;
  toolIds?: unknown;
  knowledgeBaseIds?: unknown;
  memory?: unknown;
  approve?: unknown;
}

interface Definition {
  nodes?: ({ id?: string; type?: string; name?: string; data?: AgentData & { example?: unknown } } | null)[];
  settings?: { inputSchema?: { properties?: Record<string, { type?: unknown }>; required?: unknown } } | null;
}

/** The agents of a definition, which may have faults. */
export function agentsOf(definition: unknown): { id: string; name: string; data: AgentData }[] {
  const { nodes } = (definition ?? {}) as Definition;
  if (!Array.isArray(nodes)) return [];
  return nodes.flatMap(node =>
    node?.type === "agent" && typeof node.id === "string"
      ? [{ id: node.id, name: node.name ?? node.id, data: node.data ?? {} }]
      : [],
  );
}

/** The input fields that the page fills in by itself. */
const OWN: ReadonlySet<string> = new Set(["threadId", "messages"]);

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter(one => typeof one === "string") : [];

/**
 * How a message becomes the input of a workflow: the field for the message, whether the input takes the conversation's
 * id and earlier messages, and which other fields it requires.
 */
export function inputOf(definition: unknown): { message: string; thread: boolean; messages: boolean; lacks: string[] } {
  const { settings, nodes } = (definition ?? {}) as Definition;
  const properties = settings?.inputSchema?.properties;
  const example = Array.isArray(nodes) ? nodes.find(node => node?.type === "trigger")?.data?.example : undefined;
  const known = properties ?? ((example ?? {}) as Record<string, unknown>);
  const isText = (name: string) => (properties ? properties[name]?.type === "string" : typeof known[name] === "string");
  const texts = Object.keys(known).filter(name => name !== "threadId" && isText(name));
  const message = "question" in known ? "question" : (texts[0] ?? "question");
  const thread = properties === undefined || "threadId" in properties;
  const lacks = strings(settings?.inputSchema?.required).filter(name => name !== message && !OWN.has(name));
  const messages = properties?.messages?.type === "array";
  return { message, thread, messages, lacks };
}

/**
 * The earlier messages of a conversation in the form that agents take: what the user said and what the agent answered.
 */
export async function earlierMessages(workspaceId: string, runs: readonly Run[], field: string): Promise<Message[]> {
  const ended = runs.filter(({ status }) => status === "completed").slice(-MAX_EARLIER);
  const read = ended.map(({ id, spaceId }) => queryClient.fetchQuery(runQuery({ workspaceId, spaceId, id })));
  const said = (await Promise.all(read)).flatMap(({ input, output }): Message[] => {
    const question = (input as Record<string, unknown> | null)?.[field];
    if (typeof question !== "string") return [];
    return [
      { role: "user", content: question },
      { role: "assistant", content: answerOf(output) },
    ];
  });
  // Keeps the newest messages that fit into the input of a run.
  let left = MAX_EARLIER_CHARS;
  return said.slice(said.findLastIndex(({ content }) => (left -= content.length) < 0) + 1);
}

/** The text in the output of a run: an agent's answer, a plain text, or any other value as JSON. */
export function answerOf(output: unknown): string {
  if (typeof output === "string") return output;
  if (output === null || output === undefined) return "";
  const { text } = output as { text?: unknown };
  return typeof text === "string" ? text : JSON.stringify(output, null, 2);
}
