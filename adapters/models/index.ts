import { builtInEmbedder } from "./built-in-embedder.ts";
import { LOCAL_MODEL, LocalEmbedder } from "./local-embedder.ts";
import { type CheckJson, OpenAiChat } from "./openai-chat.ts";
import { OpenAiEmbedder } from "./openai-embedder.ts";
import { OpenAiServer, type ServerAddress, type ServerLimits } from "./openai-server.ts";
import type { Models } from "./port.ts";

export { isShownType } from "./file-parts.ts";
export { ModelError, type ModelErrorCode } from "./model-error.ts";
export type {
  ChatAnswer,
  ChatFile,
  ChatMessage,
  ChatModel,
  ChatRequest,
  ChatTool,
  Embedder,
  Embeddings,
  Models,
  ToolCall,
} from "./port.ts";

type Server = ServerAddress & { model: string };

export interface ModelsOptions {
  llm?: Server | undefined;
  /** A server, or a folder `file:/models/x`. The built-in embedder when absent. */
  embeddings?: Server | { model: string; baseUrl?: undefined } | undefined;
  /** Checks the answers of models against schemas. Defaults to a check in this process. */
  check?: CheckJson;
  /** Override the usual limits of both servers. */
  limits?: Partial<ServerLimits>;
}

/**
 * The limit for all attempts of a call. The caller of an action that waits for a model needs a slightly longer limit.
 */
export const CHAT_MS = 150_000;
export const EMBED_MS = 60_000;

const LIMITS = { concurrency: 8, maxQueue: 1_000, maxTries: 4, maxAnswerBytes: 32 * 1_048_576, backoffMs: 500 };
const CHAT_LIMITS: ServerLimits = { ...LIMITS, maxAnswerBytes: 4 * 1_048_576, tryMs: CHAT_MS, totalMs: CHAT_MS };
const EMBED_LIMITS: ServerLimits = { ...LIMITS, tryMs: 20_000, totalMs: EMBED_MS };

/**
 * Creates the models that an operator configured, with the built-in embedder by default. Nothing connects before first
 * use.
 */
export function createModels({ llm, embeddings, check, limits }: ModelsOptions): Models {
  const servers: OpenAiServer[] = [];
  const serverOf = (address: ServerAddress, usual: ServerLimits) => {
    const server = new OpenAiServer(address, { ...usual, ...limits });
    servers.push(server);
    return server;
  };
  const embedderOf = () => {
    if (embeddings?.baseUrl !== undefined) {
      return new OpenAiEmbedder(serverOf(embeddings, EMBED_LIMITS), embeddings.model);
    }
    return embeddings && LOCAL_MODEL.test(embeddings.model) ? new LocalEmbedder(embeddings.model) : builtInEmbedder();
  };
  return {
    embedder: embedderOf(),
    chat: llm ? new OpenAiChat(serverOf(llm, CHAT_LIMITS), llm.model, check) : null,
    async close() {
      await Promise.all(servers.map(server => server.close()));
    },
  };
}
