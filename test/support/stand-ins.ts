import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Json } from "./api.ts";

export interface StandInCall {
  method: string;
  /** Without the prefix of the service. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** Parsed if it is JSON, otherwise as text. */
  body: Json;
  /** The number of calls with this method and path, including this one. */
  times: number;
}

/** The response of a service: a status and a body. Text is sent unchanged, and anything else as JSON. */
export type Answer = (call: StandInCall) => { status?: number; body?: unknown; headers?: Record<string, string> };

function parsed(body: string): Json {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** One server that simulates many services, each with its own prefix. */
export class StandIns {
  readonly #answers = new Map<string, { answer: Answer; calls: StandInCall[] }>();
  readonly #server = createServer((req, res) => {
    void text(req).then(body => {
      const { pathname, searchParams: query } = new URL(req.url ?? "/", "http://here");
      const [, name = "", ...rest] = pathname.split("/");
      const service = this.#answers.get(name);
      if (!service) return void res.writeHead(404).end();
      const [method, path] = [req.method ?? "", `/${rest.join("/")}`];
      const before = service.calls.filter(one => one.method === method && one.path === path).length;
      const call = { method, path, query, headers: req.headers, body: parsed(body), times: before + 1 };
      service.calls.push(call);
      const { status = 200, body: answer = {}, headers = {} } = service.answer(call);
      const isText = typeof answer === "string";
      const type = isText ? "text/plain" : "application/json";
      res.writeHead(status, { "content-type": type, ...headers }).end(isText ? answer : JSON.stringify(answer));
    });
  });

  async open(): Promise<this> {
    this.#server.listen(0, "127.0.0.1").unref();
    await once(this.#server, "listening");
    return this;
  }

  /** Adds a service. Returns its address and its calls. */
  add(answer: Answer): { url: string; calls: StandInCall[] } {
    const name = `s${this.#answers.size}`;
    const calls: StandInCall[] = [];
    this.#answers.set(name, { answer, calls });
    return { url: `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${name}`, calls };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
