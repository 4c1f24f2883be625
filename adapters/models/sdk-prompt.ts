import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4FilePart,
} from "@ai-sdk/provider";
import { essenceOf, isTextType, textOfFile } from "./file-parts.ts";
import type { ChatFile, ChatMessage, ChatTool } from "./port.ts";
import { calledNames, withoutSystem, systemOf, type WireRequest } from "./wire.ts";

// Requests in the form of the provider libraries.

type JsonSchema = LanguageModelV4FunctionTool["inputSchema"];
type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart;

/** Providers accept only these characters in the id of a call. The id may come from another provider. */
const idOf = (id: string): string => id.replace(/[^A-Za-z0-9_-]/g, "_");

/** Providers refuse parts without text. */
const textParts = (text: string): LanguageModelV4TextPart[] => (text.trim() === "" ? [] : [{ type: "text", text }]);

function filePart(file: ChatFile): UserPart {
  if (isTextType(file.type)) return { type: "text", text: textOfFile(file) };
  const { name: filename, type, bytes } = file;
  return { type: "file", filename, mediaType: essenceOf(type), data: { type: "data", data: bytes } };
}

function messageOf(
  message: Exclude<ChatMessage, { role: "system" }>,
  names: ReadonlyMap<string, string>,
): LanguageModelV4Message | undefined {
  if (message.role === "tool") {
    const { toolCallId, content: value } = message;
    const called = { toolCallId: idOf(toolCallId), toolName: names.get(toolCallId) ?? "unknown" };
    return { role: "tool", content: [{ type: "tool-result", ...called, output: { type: "text", value } }] };
  }
  const said = textParts(message.content);
  if (message.role === "user") {
    const content: UserPart[] = [...said, ...(message.files ?? []).map(filePart)];
    return { role: "user", content: content.length > 0 ? content : [{ type: "text", text: "(nothing)" }] };
  }
  const calls = (message.toolCalls ?? []).map(({ id, name, arguments: input, signature }) => ({
    ...{ type: "tool-call" as const, toolCallId: idOf(id), toolName: name, input },
    ...(signature !== undefined && { providerOptions: { google: { thoughtSignature: signature } } }),
  }));
  const content = [...said, ...calls];
  return content.length > 0 ? { role: "assistant", content } : undefined;
}

/**
 * The messages, with the system's message first, and with the results of a turn's calls together, as providers require.
 */
export function promptOf(request: WireRequest): LanguageModelV4Prompt {
  const names = calledNames(request.messages);
  const system = systemOf(request);
  const prompt: LanguageModelV4Prompt = system === undefined ? [] : [{ role: "system", content: system }];
  for (const spoken of withoutSystem(request.messages)) {
    const message = messageOf(spoken, names);
    const last = prompt.at(-1);
    if (message?.role === "tool" && last?.role === "tool") last.content.push(...message.content);
    else if (message) prompt.push(message);
  }
  return prompt;
}

export const functionOf = ({ name, description, parameters }: ChatTool): LanguageModelV4FunctionTool => ({
  ...{ type: "function", name, description, inputSchema: parameters },
});

/** The response format that asks for JSON. */
export function formatOf({ schema, habits }: WireRequest) {
  if (!schema || habits.format === "none") return undefined;
  if (habits.format === "json_object") return { type: "json" as const };
  return { type: "json" as const, name: "answer", schema: schema as JsonSchema };
}
