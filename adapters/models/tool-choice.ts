import { newCallId, readArguments } from "./tool-calls.ts";
import type { ChatAnswer, ChatMessage, ChatRequest, ChatTool } from "./port.ts";

// For servers without tools: the model writes JSON with either one tool call or its final answer.

const CHOICE = {
  type: "object",
  properties: { tool: { type: "string" }, arguments: { type: "object" }, final: { type: "string" } },
  anyOf: [{ required: ["tool"] }, { required: ["final"] }],
};

const described = ({ name, description, parameters }: ChatTool) =>
  `- ${name}: ${description}\n  Arguments by this JSON Schema: ${JSON.stringify(parameters)}`;

const rules = (tools: readonly ChatTool[]) =>
  [
    'You have tools. To use one, answer {"tool": "<its name>", "arguments": {…}}: you are given its result, and answer again.',
    'When you need none any more, answer {"final": "<your whole answer>"}.',
    "The tools:",
    ...tools.map(described),
  ].join("\n");

function plain(message: ChatMessage): ChatMessage {
  if (message.role === "tool") return { role: "user", content: `The tool's result:\n${message.content}` };
  if (message.role !== "assistant" || !message.toolCalls?.length) return message;
  const calls = message.toolCalls.map(({ name, arguments: given }) => JSON.stringify({ tool: name, arguments: given }));
  return { role: "assistant", content: [message.content, ...calls].filter(Boolean).join("\n") };
}

const filesOf = (message: ChatMessage) => (message.role === "user" ? (message.files ?? []) : []);

/** Merges two messages of the same role. Neither has tool calls at this point. */
function joined(first: ChatMessage, second: ChatMessage): ChatMessage {
  const files = [...filesOf(first), ...filesOf(second)];
  const content = `${first.content}\n\n${second.content}`;
  return second.role === "user"
    ? { role: "user", content, ...(files.length > 0 && { files }) }
    : { ...second, content };
}

/** Merges consecutive messages of the same role, because many models require alternating roles. */
function inTurns(messages: readonly ChatMessage[]): ChatMessage[] {
  const turns: ChatMessage[] = [];
  for (const message of messages.map(plain)) {
    const last = turns.at(-1);
    if (last?.role !== message.role) turns.push(message);
    else turns[turns.length - 1] = joined(last, message);
  }
  return turns;
}

/** The same request without tools. If a tool may be chosen, a schema describes the choice. */
export function withoutTools({ tools = [], toolChoice, ...request }: ChatRequest): ChatRequest {
  const messages = inTurns(request.messages);
  if (toolChoice === "none") return { ...request, messages };
  const system = [request.system, rules(tools)].filter(Boolean).join("\n\n");
  return { ...request, messages, system, schema: CHOICE };
}

/** Reads the answer to a request from `withoutTools`. */
export function readChoice({ text, json, usage }: ChatAnswer): ChatAnswer {
  if (json === undefined) return { text, usage };
  const { tool, arguments: written, final } = json as { tool?: string; arguments?: unknown; final?: string };
  if (tool === undefined) return { text: final ?? "", usage };
  return { text: "", toolCalls: [{ id: newCallId(), name: tool, ...readArguments(written) }], usage };
}
