import type { ChatDialect } from "./chat-dialect.ts";
import type { ChatMessage, ChatRequest, ToolCall } from "./port.ts";

/** A request as it is sent to a server: everything that the caller left open is decided. */
export interface WireRequest extends ChatRequest {
  model: string;
  /** How the model is asked for JSON, and which fields it accepts. */
  habits: ChatDialect;
}

export interface WireAnswer {
  /** The model's text. If it refused, the reason. */
  text: string;
  toolCalls?: ToolCall[];
  usage: { inputTokens: number; outputTokens: number };
  /** `length`: the model used up its tokens. `refused`: the model or a filter of its provider refused to answer. */
  end?: "length" | "refused" | undefined;
  /** The answer was streamed, and its server did not report the tokens. */
  uncounted?: boolean | undefined;
}

/**
 * Speaks one protocol: sends one request and reads its answer.
 * @throws {ServerRefusal} when the server refuses the request; {ModelError} when the call fails otherwise
 */
export type Wire = (request: WireRequest) => Promise<WireAnswer>;

/**
 * All system messages of a conversation as one text, for protocols with a single place for them. Undefined if there are
 * none.
 */
export function systemOf({ system, messages }: Pick<ChatRequest, "system" | "messages">): string | undefined {
  const told = messages.flatMap(message => (message.role === "system" ? [message.content] : []));
  return [system, ...told].filter(Boolean).join("\n\n") || undefined;
}

/** The messages except those of the system. */
export const withoutSystem = (messages: readonly ChatMessage[]): Exclude<ChatMessage, { role: "system" }>[] =>
  messages.filter(message => message.role !== "system");

/** The names of called functions by call id, for protocols that require them with the results. */
export function calledNames(messages: readonly ChatMessage[]): Map<string, string> {
  const calls = messages.flatMap(message => (message.role === "assistant" ? (message.toolCalls ?? []) : []));
  return new Map(calls.map(({ id, name }) => [id, name]));
}

const MAX_COUNT = 1_000_000_000;

/** A token count from a server; 0 for anything that is not a positive number. */
export const countOf = (given: unknown): number =>
  typeof given === "number" && given > 0 ? Math.min(Math.round(given), MAX_COUNT) : 0;
