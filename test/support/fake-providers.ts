import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { ModelProviderName } from "../../contracts/credentials/model-providers.ts";
import type { Json } from "./api.ts";

/** What a provider's model says: a text, or the tools that it wants called. */
export type Word = string | { calls: [name: string, args: object][] };

/** The word of a model that refuses to answer. */
export const REFUSES = "I refuse.";

/** What a call gets in place of an answer. */
export type ProviderFault =
  | { status: number; headers?: Record<string, string>; body?: unknown }
  /** Another form than the protocol's. */
  | "strange"
  /** No JSON. */
  | "page"
  | "hang"
  | "reset"
  /** An answer of more bytes than anybody wants. */
  | "huge"
  /** An answer of which a byte comes now and then, for ever. */
  | "drip";

export interface ProviderCall {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Json;
}

type Part = { functionResponse?: { response: unknown }; type?: string; content?: unknown };
type Message = { role: string; content: unknown; parts?: Part[] };

/** What the tools of a conversation gave, whatever its protocol. */
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

/** The signature of the calls of a turn, which newer models demand to have back. */
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

interface Protocol {
  /** The path of the address that a credential names. */
  base: string;
  asks: RegExp;
  lists: RegExp;
  key: (headers: IncomingHttpHeaders) => string | undefined;
  list: Json;
  speak: Speak;
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
  },
  google: {
    ...{ base: "", asks: /^\/v1beta\/models\/[\w.-]+:generateContent$/, lists: /^\/v1beta\/models\?/ },
    ...{
      key: headers => headers["x-goog-api-key"] as string,
      list: { models: [{ name: "models/big" }] },
      speak: google,
    },
  },
};

/** A server on loopback that speaks the protocol of a provider, and demands its key. */
export class FakeProvider {
  readonly calls: ProviderCall[] = [];
  /** Taken one a call, in their order. */
  readonly faults: ProviderFault[] = [];
  /** What the model says to a call. */
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

  /** The bodies of the calls that asked the model. */
  get asked(): Json[] {
    return this.calls.filter(({ method }) => method === "POST").map(({ body }) => body);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #serve(call: ProviderCall, res: ServerResponse): Promise<void> {
    const { asks, lists, key, list, speak } = this.#protocol;
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
    if (fault) return void send(fault.status, fault.body ?? { error: { message: "It failed." } }, fault.headers);
    const given = key(call.headers);
    // As careless servers do.
    if (given !== this.key) return void send(401, { error: { message: `Incorrect API key provided: ${given}` } });
    if (call.method === "GET" && lists.test(call.path)) return void send(200, list);
    if (call.method !== "POST" || !asks.test(call.path)) return void send(404, { error: { message: "No such path" } });
    send(200, speak(await this.say(call.body), call.body));
  }

  #drip(res: ServerResponse): void {
    res.writeHead(200, { "content-type": "application/json" });
    const timer = setInterval(() => res.write(" "), 20);
    res.on("close", () => clearInterval(timer));
  }
}
