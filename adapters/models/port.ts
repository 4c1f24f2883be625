export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Whose calls take turns with those of others: a workspace id. */
  group?: string | undefined;
}

export interface Embeddings {
  /** One a text, in their order, each of length 1. */
  vectors: Float32Array[];
  /** As the server counts them; 0 where it does not. */
  inputTokens: number;
}

/** Turns texts into vectors whose cosine says how near they are. */
export interface Embedder {
  /** Vectors of different ids cannot be compared. */
  readonly id: string;
  /** Undefined until a server has answered once; it never changes after that. */
  readonly dimensions: number | undefined;
  /** Whether it compares meanings, not words alone. */
  readonly semantic: boolean;
  /** Texts that are longer than the model takes count with their beginning. Rejects with ModelError. */
  embed(texts: readonly string[], options?: CallOptions): Promise<Embeddings>;
}

/** A tool that the model wants called. */
export interface ToolCall {
  /** No other call of the same answer has it. */
  id: string;
  /** As the model wrote it: there may be no tool of this name. */
  name: string;
  arguments: Record<string, unknown>;
  /** Why there are no arguments, where what it wrote for them cannot be used. */
  fault?: string | undefined;
}

export type ChatMessage =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; content: string; toolCalls?: readonly ToolCall[] | undefined }
  /** What came of a call. */
  | { role: "tool"; content: string; toolCallId: string };

export interface ChatTool {
  /** Letters, digits, `_` and `-`, 64 at most. */
  name: string;
  description: string;
  /** A JSON Schema of an object. */
  parameters: Record<string, unknown>;
}

export interface ChatRequest extends CallOptions {
  messages: readonly ChatMessage[];
  /** Goes before the messages. */
  system?: string | undefined;
  /** Another model of the same server. */
  model?: string | undefined;
  temperature?: number | undefined;
  /** Of the answer. */
  maxTokens?: number | undefined;
  /** A JSON Schema: the answer is JSON that it allows, or model_bad_output. */
  schema?: Record<string, unknown> | undefined;
  /** What the model may want called before it answers. Not beside a schema. */
  tools?: readonly ChatTool[] | undefined;
  /** `none`: it has to answer now, whatever tools there are. */
  toolChoice?: "auto" | "none" | undefined;
}

export interface ChatAnswer {
  text: string;
  /** Where there was a schema. */
  json?: unknown;
  /** Where it wants tools called. */
  toolCalls?: ToolCall[];
  /** Of all calls that it took. */
  usage: { inputTokens: number; outputTokens: number };
}

export interface ChatModel {
  readonly id: string;
  /** Rejects with ModelError. */
  chat(request: ChatRequest): Promise<ChatAnswer>;
}

export interface Models {
  embedder: Embedder;
  /** Null where none is configured. */
  chat: ChatModel | null;
  /** Ends what is under way. */
  close(): Promise<void>;
}
