import { randomUUID } from "node:crypto";
import { z } from "zod";
import { isObject } from "../../core/json.ts";
import { fileParts } from "./file-parts.ts";
import type { ServerRefusal } from "./model-server.ts";
import type { ChatMessage, ChatRequest, ToolCall } from "./port.ts";

/** The maximum number of calls in one answer. More calls than this are a malfunction of the model. */
const MAX_CALLS = 64;
const MAX_ARGUMENT_CHARS = 200_000;
const MAX_ID_CHARS = 200;
const MAX_NAME_CHARS = 200;
const SHOWN_CHARS = 200;

/** The tool calls in an answer of the protocol. Some servers give the arguments as an object, and give no ids. */
export const TOOL_CALLS = z
  .array(
    z.object({ id: z.string().nullish(), function: z.object({ name: z.string().nullish(), arguments: z.unknown() }) }),
  )
  .nullish();

/** Short, because one provider accepts only nine letters and digits. */
export const newCallId = (): string => randomUUID().replaceAll("-", "").slice(0, 9);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Reads the arguments of a call. A value that is not an object gives no arguments, and a fault to report to the model.
 */
export function readArguments(written: unknown): Pick<ToolCall, "arguments" | "fault"> {
  const text = typeof written === "string" ? written.trim() : undefined;
  if (written === undefined || written === null || text === "") return { arguments: {} };
  if (text !== undefined && text.length > MAX_ARGUMENT_CHARS)
    return { arguments: {}, fault: `The arguments are longer than ${MAX_ARGUMENT_CHARS} characters.` };
  const value = text === undefined ? written : parsed(text);
  if (isObject(value)) return { arguments: value };
  return {
    arguments: {},
    fault: `The arguments are not a JSON object: ${String(text ?? value).slice(0, SHOWN_CHARS)}`,
  };
}

/** Reads the calls of an answer, each with a unique id. */
export function readCalls(calls: z.output<typeof TOOL_CALLS>): ToolCall[] {
  const ids = new Set<string>();
  return (calls ?? []).slice(0, MAX_CALLS).map(({ id: given, function: { name, arguments: written } }) => {
    const usable = given && given.length <= MAX_ID_CHARS && !ids.has(given);
    const id = usable ? given : newCallId();
    ids.add(id);
    return { id, name: (name ?? "").slice(0, MAX_NAME_CHARS), ...readArguments(written) };
  });
}

function wireMessage(message: ChatMessage): Record<string, unknown> {
  if (message.role === "tool") return { role: "tool", tool_call_id: message.toolCallId, content: message.content };
  const { role, content } = message;
  if (message.role === "user" && message.files?.length)
    return { role, content: [{ type: "text", text: content }, ...fileParts(message.files)] };
  if (message.role !== "assistant" || !message.toolCalls?.length) return { role, content };
  const tool_calls = message.toolCalls.map(({ id, name, arguments: given }) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(given) },
  }));
  return { role, content: content || null, tool_calls };
}

/** The messages of a request in the protocol's form. */
export const wireMessages = (messages: readonly ChatMessage[]): Record<string, unknown>[] => messages.map(wireMessage);

/** The part of the request body that lists the tools. */
export function toolFields({ tools, toolChoice }: ChatRequest): Record<string, unknown> {
  if (!tools?.length) return {};
  return {
    tools: tools.map(tool => ({ type: "function", function: tool })),
    ...(toolChoice === "none" && { tool_choice: "none" }),
  };
}

/** Whether a server refused because it does not support tools, or messages about them. */
export const refusesTools = ({ status, words }: ServerRefusal): boolean =>
  [400, 404, 415, 422, 501].includes(status) && /\btool|function|\broles?\b/i.test(words);
