import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { ModelProviderName } from "../../contracts/credentials/model-providers.ts";
import type { Json } from "./api.ts";

/** The response of a provider's model: a text, or the tools that it requests. */
export type Word = string | { calls: [name: string, args: object][] };

/** The response of a model that refuses. */
export const REFUSES = "I refuse.";

/** The fault of a call. */
export type ProviderFault =
  | { status: number; headers?: Record<string, string>; body?: unknown }
  /** A response in another form than the protocol's. */
  | "strange"
  /** a response that is not JSON */
  | "page"
  | "hang"
  | "reset"
  /** A response with too many bytes. */
  | "huge"
  /** A response that sends one byte now and then, forever. */
  | "drip"
  /** A stream that ends before its response is complete. */
  | "half"
  /** A response in one piece, although a stream was requested. */
  | "whole";

export interface ProviderCall {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Json;
}

type Part = { functionResponse?: { response: unknown }; type?: string; content?: unknown };
type Message = { role: string; content: unknown; parts?: Part[] };

/** The results of the tools in a conversation, in any protocol. */
export function resultsOf({ contents, messages }: Json): string[] {
  const all = (contents ?? messages) as Message[];
  return all.flatMap(({ role, content, parts = Array.isArray(content) ? (content as Part[]) : [] }) => {
    if (role === "tool") return [String(content)];
    return parts.flatMap(part => {
      if (part.functionResponse) return [JSON.stringify(part.functionResponse.response)];
      return part.type === "tool_result" ? [JSON.stringify(part.content)] : [];
    });
  });
}

type Speak = (word: Word, body: Json) => Json;

const openai: Speak = word => {
  const calls = typeof word === "object" ? word.calls : [];
  const message = {
    role: "assistant",
    content: typeof word === "object" ? null : word,
    ...(calls.length > 0 && {
      tool_calls: calls.map(([name, args], at) => ({
        ...{ id: `call_${at}`, type: "function", function: { name, arguments: JSON.stringify(args) } },
      })),
    }),
  };
  const reason = calls.length > 0 ? "tool_calls" : word === REFUSES ? "content_filter" : "stop";
  const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
  return { id: "c", object: "chat.completion", choices: [{ index: 0, message, finish_reason: reason }], usage };
};

const anthropic: Speak = (word, { model }) => ({
  ...{ id: "msg_1", type: "message", role: "assistant", model, stop_sequence: null },
  content:
    typeof word === "object"
      ? [
          { type: "text", text: "I look." },
          ...word.calls.map(([name, input], at) => ({ type: "tool_use", id: `toolu_${at}`, name, input })),
        ]
      : [{ type: "text", text: word }],
  stop_reason: typeof word === "object" ? "tool_use" : word === REFUSES ? "refusal" : "end_turn",
  usage: { input_tokens: 11, output_tokens: 7 },
});

/** The signature of the calls of a turn. Newer models require it to be sent back. */
export const SIGNATURE = "c2lnbmF0dXJl";

const google: Speak = word => ({
  candidates: [
    {
      index: 0,
      content: {
        role: "model",
        parts:
          typeof word === "object"
            ? word.calls.map(([name, args], at) => ({
                functionCall: { name, args },
                ...(at === 0 && { thoughtSignature: SIGNATURE }),
              }))
            : [{ text: word }],
      },
      finishReason: word === REFUSES ? "SAFETY" : "STOP",
    },
  ],
  usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 },
});

/** Pieces of a text. Concatenated, they form the text. */
const piecesOf = (text: string) => text.match(/\S+\s*|\s+/g) ?? [];

type Block = { type: string; text?: string; input?: object };

/** The events of a message in the form of Anthropic's servers. */
function messageEvents({ content, stop_reason, usage, ...message }: Json): object[] {
  const { input_tokens, output_tokens } = usage as Record<string, number>;
  const blocks = (content as Block[]).flatMap(({ text, input, ...block }, index) => {
    const isText = text !== undefined;
    const parts = isText
      ? piecesOf(text).map(piece => ({ type: "text_delta", text: piece }))
      : (JSON.stringify(input).match(/.{1,7}/g) ?? []).map(piece => ({
          type: "input_json_delta",
          partial_json: piece,
        }));
    return [
      { type: "content_block_start", index, content_block: { ...block, ...(isText ? { text: "" } : { input: {} }) } },
      { type: "ping" },
      ...parts.map(delta => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ];
  });
  const begun = { ...message, content: [], stop_reason: null, usage: { input_tokens, output_tokens: 1 } };
  return [
    { type: "message_start", message: begun },
    ...blocks,
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens } },
    { type: "message_stop" },
  ];
}

/** The events of a response in the form of Google's servers: responses with a part of the content each. */
function contentEvents({ candidates, usageMetadata }: Json): object[] {
  const [{ content, finishReason, index }] = candidates as [
    { content: { role: string; parts: { text?: string }[] }; finishReason: string; index: number },
  ];
  const parts = content.parts.flatMap(part =>
    part.text === undefined ? [part] : piecesOf(part.text).map(text => ({ text })),
  );
  return parts.map((part, at) => ({
    candidates: [
      { index, content: { role: "model", parts: [part] }, ...(at === parts.length - 1 && { finishReason }) },
    ],
    usageMetadata,
  }));
}

interface Protocol {
  /** The path of the address in credentials. */
  base: string;
  asks: RegExp;
  lists: RegExp;
  key: (headers: IncomingHttpHeaders) => string | undefined;
  list: Json;
  speak: Speak;
  /** How it streams a response, if that is requested. */
  events?: { asked: (call: ProviderCall) => boolean; of: (answer: Json) => object[] };
}

const bearer = ({ authorization }: IncomingHttpHeaders) => authorization?.replace("Bearer ", "");
const listed = { data: [{ id: "small" }, { id: "big" }] };

export const PROTOCOLS: Readonly<Record<ModelProviderName, Protocol>> = {
  openai: {
    ...{ base: "/v1", asks: /^\/v1\/chat\/completions$/, lists: /^\/v1\/models$/ },
    ...{ key: bearer, list: listed, speak: openai },
  },
  ollama: {
    ...{ base: "", asks: /^\/v1\/chat\/completions$/, lists: /^\/v1\/models$/ },
    ...{ key: bearer, list: listed, speak: openai },
  },
  anthropic: {
    ...{ base: "", asks: /^\/v1\/messages$/, lists: /^\/v1\/models\?/ },
    ...{ key: headers => headers["x-api-key"] as string, list: listed, speak: anthropic },
    events: { asked: ({ body }) => body.stream === true, of: messageEvents },
  },
  google: {
    ...{
      base: "",
      asks: /^\/v1beta\/models\/[\w.-]+:(generateContent|streamGenerateContent\?alt=sse)$/,
      lists: /^\/v1beta\/models\?/,
    },
    ...{
      key: headers => headers["x-goog-api-key"] as string,
      list: { models: [{ name: "models/big" }] },
      speak: google,
    },
    events: { asked: ({ path }) => path.includes(":streamGenerateContent"), of: contentEvents },
  },
};

/** A server on loopback that speaks the protocol of a provider, and requires its key. */
export class FakeProvider {
  readonly calls: ProviderCall[] = [];
  /** One is used per call, in order. */
  readonly faults: ProviderFault[] = [];
  /** The response of the model to a call. */
  say: (body: Json) => Word | Promise<Word> = () => "Ada.";
  readonly key: string;
  readonly #protocol: Protocol;
  readonly #server = createServer((req, res) => {
    void text(req).then(sent => {
      const { method = "", url: path = "", headers } = req;
      return this.#serve({ method, path, headers, body: sent === "" ? null : JSON.parse(sent) }, res);
    });
  });

  private constructor(name: ModelProviderName, key: string) {
    this.#protocol = PROTOCOLS[name];
    this.key = key;
  }

  static async open(name: ModelProviderName, key: string): Promise<FakeProvider> {
    const fake = new FakeProvider(name, key);
    fake.#server.listen(0, "127.0.0.1").unref();
    await once(fake.#server, "listening");
    return fake;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The address for a credential. */
  get baseUrl(): string {
    return this.origin + this.#protocol.base;
  }

  /** The bodies of the calls to the model. */
  get asked(): Json[] {
    return this.calls.filter(({ method }) => method === "POST").map(({ body }) => body);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #serve(call: ProviderCall, res: ServerResponse): Promise<void> {
    const { asks, lists, key, list, speak, events } = this.#protocol;
    this.calls.push(call);
    const send = (status: number, body: unknown, headers = {}) =>
      res.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    const fault = this.faults.shift();
    if (fault === "hang") return;
    if (fault === "reset") return void res.destroy();
    if (fault === "page") return void res.writeHead(200, { "content-type": "text/html" }).end("<html>Welcome</html>");
    if (fault === "strange") return void send(200, { candidates: "none", content: 7, choices: {} });
    if (fault === "huge") return void res.writeHead(200).end(`"${"x".repeat(6 * 1_048_576)}"`);
    if (fault === "drip") return this.#drip(res);
    if (typeof fault === "object")
      return void send(fault.status, fault.body ?? { error: { message: "It failed." } }, fault.headers);
    const given = key(call.headers);
    // Some careless servers repeat the key like this.
    if (given !== this.key) return void send(401, { error: { message: `Incorrect API key provided: ${given}` } });
    if (call.method === "GET" && lists.test(call.path)) return void send(200, list);
    if (call.method !== "POST" || !asks.test(call.path)) return void send(404, { error: { message: "No such path" } });
    const answer = speak(await this.say(call.body), call.body);
    if (!events?.asked(call) || fault === "whole") return void send(200, answer);
    const all = events.of(answer).map(event => `data: ${JSON.stringify(event)}\r\n\r\n`);
    res.writeHead(200, { "content-type": "text/event-stream" });
    res.end(all.slice(0, fault === "half" ? -2 : all.length).join(""));
  }

  #drip(res: ServerResponse): void {
    res.writeHead(200, { "content-type": "application/json" });
    const timer = setInterval(() => res.write(" "), 20);
    res.on("close", () => clearInterval(timer));
  }
}
