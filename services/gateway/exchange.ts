import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Identity } from "../../contracts/entities/user.ts";
import { backlog } from "./backlog.ts";
import { API_HEADERS } from "./security-headers.ts";

/** What a client may name its request: short, and harmless in any log. */
const REQUEST_ID = /^[\w.-]{1,128}$/;
/** A rest of a body up to this size is read and thrown away, so that the connection can go on. */
const DRAINED_BYTES = 65_536;
/** How long the rest of a larger body is thrown away: a client that is cut off while it writes would not see the answer. */
const LINGER_MS = 500;
/** Smaller answers fit into what the system keeps for a connection anyway. */
const HELD_BYTES = 16_384;
/** A client that takes nothing of its answer for so long is given up. */
const STALL_MS = 30_000;

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";

/** One request and its answer. */
export class Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  readonly path: string;
  /** The text behind the question mark. */
  readonly search: string;
  /** Names and values that go with whatever the answer is. */
  readonly headers: string[];
  /** The RateLimit headers; the last limit that was charged speaks. */
  limit: string[] = [];
  /** Set by authentication alone. */
  identity: Identity | undefined;
  /** When it was last asked who this is, in ms of a clock that does not go back. */
  identifiedAt = 0;
  /** The pattern of the path, once it is known to be one. */
  route = "none";
  /** The answer is an event stream, which lasts. */
  streamed = false;

  constructor(req: IncomingMessage, res: ServerResponse) {
    this.req = req;
    this.res = res;
    const named = req.headers["x-request-id"];
    this.requestId = typeof named === "string" && REQUEST_ID.test(named) ? named : randomUUID();
    this.headers = ["X-Request-Id", this.requestId];
    const url = req.url ?? "/";
    const mark = url.indexOf("?");
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.search = mark < 0 ? "" : url.slice(mark + 1);
  }

  get clientGone(): boolean {
    return this.res.destroyed || this.req.socket.destroyed;
  }

  /** Sends the one answer. Without a type there is no body. */
  send(status: number, type?: string, body: string | Buffer = "", base: readonly string[] = API_HEADERS): void {
    if (this.res.headersSent || this.clientGone) return;
    const headers = [...base, ...this.headers, ...this.limit];
    if (type) headers.push("Content-Type", type);
    const bytes = Buffer.byteLength(body);
    if (status !== 204 && status !== 304) headers.push("Content-Length", `${bytes}`);
    const cutOff = this.#cutsOff();
    if (cutOff) headers.push("Connection", "close");
    this.res.writeHead(status, headers);
    if (bytes > HELD_BYTES) this.#hold(bytes);
    if (cutOff) this.#linger(body);
    else this.res.end(body);
  }

  /** Ends what a client keeps waiting for itself, in time and together with all others. */
  #hold(bytes: number): void {
    const { res } = this;
    const release = () => backlog.release(res);
    res.once("finish", release).once("close", release);
    res.setTimeout(STALL_MS, () => res.destroy());
    backlog.hold(res, bytes);
  }

  /** Whether a body is still on its way that is too long to wait for. */
  #cutsOff(): boolean {
    const { req } = this;
    if (req.complete || !hasBody(req)) return false;
    return req.headers.expect !== undefined || !(Number(req.headers["content-length"]) <= DRAINED_BYTES);
  }

  #linger(body: string | Buffer): void {
    const { req, res } = this;
    res.write(body);
    const end = () => {
      clearTimeout(timer);
      res.end();
    };
    const timer = setTimeout(end, LINGER_MS);
    req.once("end", end).once("close", end).resume();
  }

  json(status: number, value: unknown): void {
    this.send(status, "application/json; charset=utf-8", JSON.stringify(value));
  }
}
