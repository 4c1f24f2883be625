export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** The workspace id. Groups take turns. */
  group?: string | undefined;
}

export interface Embeddings {
  /** One vector per text, in the same order, each of length 1. */
  vectors: Float32Array[];
  /** The server's count, or 0 if it gives none. */
  inputTokens: number;
}

/** Turns texts into vectors whose cosine says how similar they are. */
export interface Embedder {
  /** Vectors of different ids cannot be compared. */
  readonly id: string;
  /** Undefined until a server has answered once. Never changes afterwards. */
  readonly dimensions: number | undefined;
  /** Whether the embedder compares meanings, not only words. */
  readonly semantic: boolean;
  /**
   * Embeds texts. If a text is too long for the model, only its beginning counts.
   * @throws {ModelError} when the model fails.
   */
  embed(texts: readonly string[], options?: CallOptions): Promise<Embeddings>;
}

/** A tool call that the model requests. */
export interface ToolCall {
  /** Unique among the calls of one answer. */
  id: string;
  /** As the model wrote it. There may be no tool with this name. */
  name: string;
  arguments: Record<string, unknown>;
  /** Why there are no arguments, if the model wrote unusable ones. */
  fault?: string | undefined;
  /** An opaque value of the provider. It is sent back to the provider with the call. */
  signature?: string | undefined;
}

/** A file for the model. `isShownType` accepts its `type`. */
export interface ChatFile {
  name: string;
  type: string;
  bytes: Uint8Array;
}

export type ChatMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: string; files?: readonly ChatFile[] | undefined }
  | { role: "assistant"; content: string; toolCalls?: readonly ToolCall[] | undefined }
  /** The result of a tool call. */
  | { role: "tool"; content: string; toolCallId: string };

export interface ChatTool {
  /** At most 64 letters, digits, `_` and `-`. */
  name: string;
  description: string;
  /** A JSON Schema of an object. */
  parameters: Record<string, unknown>;
}

export interface ChatRequest extends CallOptions {
  messages: readonly ChatMessage[];
  /** Precedes the messages. */
  system?: string | undefined;
  /** Another model of the same server. */
  model?: string | undefined;
  temperature?: number | undefined;
  /** The maximum number of tokens of the answer. */
  maxTokens?: number | undefined;
  /** A JSON Schema. The answer is JSON that matches it; otherwise the call fails with model_bad_output. */
  schema?: Record<string, unknown> | undefined;
  /** The tools that the model may call before it answers. Cannot be combined with a schema. */
  tools?: readonly ChatTool[] | undefined;
  /** `none`: the model has to answer now, even if tools exist. */
  toolChoice?: "auto" | "none" | undefined;
  /**
   * Receives the words of the answer while the model writes them, if its server streams. `at` is their position in the
   * answer. A repeated call begins at 0 again.
   */
  onWords?: ((at: number, words: string) => void) | undefined;
}

export interface ChatAnswer {
  text: string;
  /** Present if the request has a schema. */
  json?: unknown;
  /** Present if the model requests tool calls. */
  toolCalls?: ToolCall[];
  /** The total of all calls for the answer. */
  usage: { inputTokens: number; outputTokens: number };
}

export interface ChatModel {
  readonly id: string;
  /** @throws {ModelError} when the model fails. */
  chat(request: ChatRequest): Promise<ChatAnswer>;
}

export interface Models {
  embedder: Embedder;
  /** Null when no model is configured. */
  chat: ChatModel | null;
  /** Aborts the running calls. */
  close(): Promise<void>;
}
