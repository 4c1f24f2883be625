import { builtInEmbedder } from "./built-in-embedder.ts";
import { LOCAL_MODEL, LocalEmbedder } from "./local-embedder.ts";
import { type CheckJson, WiredChat } from "./chat-model.ts";
import { CHAT_LIMITS, EMBED_LIMITS } from "./limits.ts";
import { ModelServer, type ServerLimits } from "./model-server.ts";
import { OpenAiEmbedder } from "./openai-embedder.ts";
import { openAiWire } from "./openai-wire.ts";
import type { Models } from "./port.ts";
import { PROVIDERS } from "./providers.ts";
import { directTransport } from "./transport.ts";

export { isShownType } from "./file-parts.ts";
export { CHAT_MS, EMBED_MS } from "./limits.ts";
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

interface Server {
  /** Includes the version, as in `https://api.openai.com/v1`. */
  baseUrl: string;
  apiKey?: string | undefined;
  model: string;
}

export interface ModelsOptions {
  llm?: Server | undefined;
  /** A server, or a folder `file:/models/x`. The built-in embedder if absent. */
  embeddings?: Server | { model: string; baseUrl?: undefined } | undefined;
  /** Checks the answers of models against schemas. By default, in this process. */
  check?: CheckJson;
  /** Override the usual limits of both servers. */
  limits?: Partial<ServerLimits>;
}

/**
 * Creates the models that an operator configured, with the built-in embedder by default. No connection is made before
 * the first use.
 */
export function createModels({ llm, embeddings, check, limits }: ModelsOptions): Models {
  const servers: ModelServer[] = [];
  const serverOf = ({ baseUrl, apiKey = "" }: Server, usual: ServerLimits) => {
    const headers = apiKey ? PROVIDERS.openai.headers(apiKey) : {};
    const server = new ModelServer({ baseUrl, headers }, { ...usual, ...limits }, directTransport());
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
    chat: llm ? new WiredChat(openAiWire(serverOf(llm, CHAT_LIMITS)), llm.model, check) : null,
    async close() {
      await Promise.all(servers.map(server => server.close()));
    },
  };
}
