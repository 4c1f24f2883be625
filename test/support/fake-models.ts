import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { hashEmbedding } from "../../core/embedding/hash-embedding.ts";
import type { Json } from "./api.ts";

/** The fault of one call. The next fault in the list is for the next call. */
export type ModelFault =
  | { status: number; headers?: Record<string, string>; body?: unknown }
  /** No response, ever. */
  | "hang"
  /** The connection breaks. */
  | "reset"
  /** A response that breaks off in the middle. */
  | "half"
  /** A page instead of JSON. */
  | "page"
  /** Vectors with one dimension more than usual. */
  | "wider"
  /** One vector too few. */
  | "fewer";

export interface ModelCall {
  path: string;
  headers: IncomingHttpHeaders;
  body: Json;
}

/** The response of the language model: a text, or more. */
export type ModelResponse =
  string | { content: string | null; refusal?: string; finish_reason?: string; tool_calls?: Record<string, unknown>[] };

/** A response that requests calls of these tools, each with its arguments or with a text instead of them. */
export const callTools = (...calls: [name: string, args: object | string][]): Exclude<ModelResponse, string> => ({
  content: null,
  finish_reason: "tool_calls",
  tool_calls: calls.map(([name, args], i) => ({
    id: `call_${i}`,
    type: "function",
    function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
  })),
});

export interface FakeModelsOptions {
  /** If set, every call must send it. */
  apiKey?: string;
  dimensions?: number;
  /** More texts in a call are refused with 422, as TEI does. */
  maxBatch?: number;
  /** A longer text is refused with 400, as vLLM does. */
  maxChars?: number;
  /** The supported kinds of `response_format`. Others are refused with 400. */
  formats?: string[];
  /** Parameters that it refuses with 400, as newer models of OpenAI do. */
  unsupported?: Record<string, string>;
  /** It supports no tools, and refuses calls with tools with 400. */
  toolless?: boolean;
  /**
   * `false`: it responds in one piece, even if a stream is requested. `uncounted`: streams do not report their usage.
   */
  streams?: false | "uncounted";
  /** Awaited before each piece of a stream. */
  between?: (piece: number) => Promise<void>;
  /** The response of the language model to a call's body. */
  say?: (body: Json) => ModelResponse;
}

interface Completion {
  choices: { message: Exclude<ModelResponse, string>; finish_reason: string }[];
  usage: Json;
}

const tokens = (words: string) => Math.ceil(words.length / 4);

/**
 * A server on loopback that speaks OpenAI's protocol: embeddings that compare words, scripted responses, and faults.
 */
export class FakeModels {
  readonly calls: ModelCall[] = [];
  /** One is used per call, in order. */
  readonly faults: ModelFault[] = [];
  readonly options: FakeModelsOptions;
  /** The most calls that were in progress at the same time. */
  together = 0;
  #now = 0;
  #held: Promise<void> = Promise.resolve();
  readonly #waiting = new Set<() => void>();
  readonly #server = createServer((req, res) => {
    this.together = Math.max(this.together, ++this.#now);
    res.on("close", () => this.#now--);
    void text(req).then(body =>
      this.#serve({ path: req.url ?? "", headers: req.headers, body: JSON.parse(body) }, res),
    );
  });

  constructor(options: FakeModelsOptions = {}) {
    this.options = options;
  }

  static async open(options: FakeModelsOptions = {}): Promise<FakeModels> {
    const fake = new FakeModels(options);
    fake.#server.listen(0, "127.0.0.1").unref();
    await once(fake.#server, "listening");
    return fake;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** Resolves when the next call arrives. */
  async called(): Promise<void> {
    await new Promise<void>(resolve => this.#waiting.add(resolve));
  }

  /** The number of calls whose callers still wait. */
  get underWay(): number {
    return this.#now;
  }

  /** Delays all responses until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    return resolve;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #serve(call: ModelCall, res: ServerResponse): void {
    this.calls.push(call);
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
    const fault = this.faults.shift();
    if (fault === "hang") return;
    void this.#held.then(() => this.#answer(call, fault, res));
  }

  #answer(call: ModelCall, fault: ModelFault | undefined, res: ServerResponse): void {
    if (fault === "reset") return void res.destroy();
    if (fault === "page") return void res.writeHead(200, { "content-type": "text/html" }).end("<html>Welcome</html>");
    if (typeof fault === "object") {
      return this.#send(res, fault.status, fault.body ?? { error: { message: "It failed." } }, fault.headers);
    }
    const refusal = this.#refusal(call);
    if (refusal) return this.#send(res, refusal.status, { error: { message: refusal.message, code: null } });
    const answer = call.path === "/v1/embeddings" ? this.#embeddings(call.body, fault) : this.#completion(call.body);
    if (call.body.stream === true && this.options.streams !== false)
      return void this.#stream(res, answer as Completion, fault === "half");
    if (fault !== "half") return this.#send(res, 200, answer);
    const whole = JSON.stringify(answer);
    res.writeHead(200, { "content-type": "application/json", "content-length": whole.length });
    res.write(whole.slice(0, whole.length / 2), () => res.destroy());
  }

  /** The response in pieces: one word at a time, then the usage. */
  async #stream(res: ServerResponse, { choices: [choice], usage, ...rest }: Completion, isHalf: boolean) {
    const { message, finish_reason } = choice!;
    const { content, tool_calls, refusal } = message;
    const words = (content ?? "").match(/\S+\s*|\s+/g);
    const deltas: Json[] = [{ role: "assistant", content: "" }, ...(words ?? []).map(word => ({ content: word }))];
    if (refusal !== undefined) deltas.push({ refusal });
    if (tool_calls) deltas.push({ tool_calls: tool_calls.map((call, index) => ({ index, ...call })) });
    const parts: Json[] = deltas.map(delta => ({ ...rest, choices: [{ index: 0, delta, finish_reason: null }] }));
    res.writeHead(200, { "content-type": "text/event-stream" });
    for (const [n, part] of parts.entries()) {
      if (isHalf && n >= parts.length / 2) return void res.destroy();
      await this.options.between?.(n);
      await new Promise<void>(sent => res.write(`data: ${JSON.stringify(part)}\n\n`, () => sent()));
    }
    const counted = this.options.streams === "uncounted" ? {} : { usage };
    const ends = [
      { ...rest, choices: [{ index: 0, delta: {}, finish_reason }] },
      { ...rest, choices: [], ...counted },
    ];
    res.end(`${ends.map(end => `data: ${JSON.stringify(end)}\n\n`).join("")}data: [DONE]\n\n`);
  }

  #send(res: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
    res.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  }

  #refusal({ path, headers, body }: ModelCall): { status: number; message: string } | undefined {
    const { apiKey, maxBatch = Infinity, maxChars = Infinity, formats, unsupported = {} } = this.options;
    const no = (status: number, message: string) => ({ status, message });
    if (apiKey !== undefined && headers.authorization !== `Bearer ${apiKey}`) return no(401, "Incorrect API key");
    if (typeof body.model !== "string") return no(400, "you must provide a model parameter");
    if (body.model === "missing") return no(404, "The model `missing` does not exist");
    for (const [name, hint] of Object.entries(unsupported)) if (name in body) return no(400, hint);
    if (path === "/v1/chat/completions") {
      if (this.options.toolless && "tools" in body) return no(400, `${body.model} does not support tools`);
      if (body.response_format && body.tools) return no(400, "tools and response_format exclude each other");
      const type = body.response_format?.type;
      if (type && formats && !formats.includes(type)) return no(400, `response_format ${type} is not supported`);
      return Array.isArray(body.messages) && body.messages.length > 0 ? undefined : no(400, "messages is empty");
    }
    if (path !== "/v1/embeddings") return no(404, "Not Found");
    const input: string[] = body.input;
    if (input.some(one => one === "")) return no(400, "input cannot be an empty string");
    if (input.length > maxBatch) return no(422, `batch size ${input.length} > maximum allowed batch size ${maxBatch}`);
    return input.some(one => one.length > maxChars)
      ? no(400, "This model's maximum context length is less")
      : undefined;
  }

  #embeddings(body: Json, fault: ModelFault | undefined): unknown {
    const input = body.input as string[];
    const size = (this.options.dimensions ?? 32) + (fault === "wider" ? 1 : 0);
    const texts: string[] = fault === "fewer" ? input.slice(1) : input;
    const data = texts.map((one, index) => {
      const embedding = Array.from({ length: size }, () => 0);
      hashEmbedding(one).forEach((value, at) => (embedding[at % size]! += 3 * value));
      return { object: "embedding", index, embedding };
    });
    const prompt_tokens = texts.reduce((sum, one) => sum + tokens(one), 0);
    // The protocol guarantees no order, only an index.
    return {
      object: "list",
      data: data.reverse(),
      model: body.model,
      usage: { prompt_tokens, total_tokens: prompt_tokens },
    };
  }

  #completion(body: Json): unknown {
    const said = this.options.say?.(body) ?? "Hello.";
    const { finish_reason = "stop", ...message } = typeof said === "string" ? { content: said } : said;
    const prompt_tokens = tokens(JSON.stringify(body.messages));
    const completion_tokens = tokens(message.content ?? "");
    return {
      ...{ id: "chatcmpl-1", object: "chat.completion", created: 1, model: body.model },
      choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }],
      usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
    };
  }
}
