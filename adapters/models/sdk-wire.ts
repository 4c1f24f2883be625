import type { LanguageModelV4GenerateResult } from "@ai-sdk/provider";
import { ModelError } from "./model-error.ts";
import { type ModelServer, ServerRefusal } from "./model-server.ts";
import { formatOf, functionOf, promptOf } from "./sdk-prompt.ts";
import type { MakeModel, Streaming } from "./sdk.ts";
import { readCalls } from "./tool-calls.ts";
import { countOf, type Wire, type WireAnswer, type WireRequest } from "./wire.ts";

/**
 * A library continues as long as a server says that its answer is incomplete. A hostile server may say that forever.
 */
const MAX_EXCHANGES = 4;
/** A longer signature is not sent back. The library then reports a missing signature. */
const MAX_SIGNATURE_CHARS = 32_768;

/** The library's headers that the protocols need. */
const ofProtocol = (headers: RequestInit["headers"]) =>
  Object.fromEntries([...new Headers(headers)].filter(([name]) => name.startsWith("anthropic-")));

const urlOf = (input: Parameters<typeof fetch>[0]): string => (input instanceof Request ? input.url : String(input));

const streams = ({ onWords, habits }: WireRequest): boolean => onWords !== undefined && habits.streams;

/**
 * Presents the server as the `fetch` of a library. The server's limits, retries and errors apply, so a library sees
 * only successful answers. It sees them in one piece, even if they were streamed.
 */
function fetchFrom(server: ModelServer, request: WireRequest, { asked, reader }: Streaming): typeof fetch {
  const { signal, group, onWords } = request;
  let exchanges = 0;
  /** The number of characters in the earlier exchanges. */
  let said = 0;

  async function stream(url: string, headers: Record<string, string>, json: string): Promise<unknown> {
    let at = said;
    const read = () => {
      // A retry streams the answer from its beginning.
      at = said;
      return reader(words => {
        onWords?.(at, words);
        at += words.length;
      });
    };
    const sent = asked(url, json);
    const answer = await server.exchange(sent.url, headers, sent.json, { signal, group, reader: read });
    said = at;
    return answer;
  }

  return async (input, init = {}) => {
    if (++exchanges > MAX_EXCHANGES) throw new ModelError("model_bad_output", "The model's answer never ends");
    const [url, headers, json] = [urlOf(input), ofProtocol(init.headers), String(init.body as string)];
    const inOnePiece = () => server.exchange(url, headers, json, { signal, group });
    // A server without streams has another path, or none.
    const orInOnePiece = (error: unknown) => {
      if (error instanceof ServerRefusal && error.status === 404) return inOnePiece();
      throw error;
    };
    const answer = await (streams(request) ? stream(url, headers, json).catch(orInOnePiece) : inOnePiece());
    return new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } });
  };
}

/**
 * The server's error, wherever the library has put it. The library's own text may quote the request, so it is not used.
 */
function errorOf(error: unknown): ModelError {
  for (let at = error, depth = 0; depth < 5 && at !== undefined && at !== null; depth++) {
    if (at instanceof ModelError) return at;
    if ((at as Error).name === "AI_UnsupportedFunctionalityError") {
      const what = String((at as { functionality?: unknown }).functionality).slice(0, 200);
      return new ModelError("model_refused", `The provider does not accept this: ${what}`);
    }
    at = (at as Error).cause;
  }
  return new ModelError("model_bad_output", "The model's server answered in another form than its protocol's");
}

function signatureOf(part: { providerMetadata?: Record<string, unknown> | undefined }): string | undefined {
  const own = part.providerMetadata?.google as { thoughtSignature?: unknown } | undefined;
  const signature = own?.thoughtSignature;
  return typeof signature === "string" && signature.length <= MAX_SIGNATURE_CHARS ? signature : undefined;
}

function read({ content, usage, finishReason: { unified: end } }: LanguageModelV4GenerateResult): WireAnswer {
  const parts = content.filter(part => part.type === "tool-call").filter(part => !part.providerExecuted);
  const calls = readCalls(
    parts.map(({ toolCallId: id, toolName: name, input }) => ({ id, function: { name, arguments: input } })),
  );
  return {
    text: content.map(part => (part.type === "text" ? part.text : "")).join(""),
    toolCalls: calls.map((call, at) => {
      const signature = signatureOf(parts[at]!);
      return signature === undefined ? call : { ...call, signature };
    }),
    usage: { inputTokens: countOf(usage.inputTokens.total), outputTokens: countOf(usage.outputTokens.total) },
    end: end === "content-filter" ? "refused" : end === "length" ? "length" : undefined,
  };
}

/** Implements the protocol of a provider with its library. */
export function sdkWire(server: ModelServer, load: () => Promise<MakeModel>, streaming: Streaming): Wire {
  return async request => {
    const make = await load();
    const { model, maxTokens: maxOutputTokens, temperature, habits, tools = [], toolChoice = "auto" } = request;
    const one = make({ baseURL: server.baseUrl, model, fetch: fetchFrom(server, request, streaming) });
    const format = formatOf(request);
    try {
      const result = await one.doGenerate({
        prompt: promptOf(request),
        ...(maxOutputTokens !== undefined && { maxOutputTokens }),
        ...(temperature !== undefined && habits.temperature && { temperature }),
        ...(format && { responseFormat: format }),
        ...(tools.length > 0 && { tools: tools.map(functionOf), toolChoice: { type: toolChoice } }),
      });
      const uncounted = streams(request) && result.usage.outputTokens.total === undefined;
      return { ...read(result), ...(uncounted && { uncounted }) };
    } catch (error) {
      throw errorOf(error);
    }
  };
}
