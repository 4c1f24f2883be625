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

export interface ChatMessage {
  role: "system" | "user" | "assistant";
  content: string;
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
}

export interface ChatAnswer {
  text: string;
  /** Where there was a schema. */
  json?: unknown;
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
