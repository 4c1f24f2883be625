import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Identity } from "../../../contracts/entities/user.ts";
import { backlog } from "./backlog.ts";
import type { Failure } from "./problem.ts";
import { API_HEADERS } from "./security-headers.ts";

/** Request ids that clients may choose. They are short, and safe in any log. */
const REQUEST_ID = /^[\w.-]{1,128}$/;
/** The rest of a body up to this size is read and discarded, so that the connection can be reused. */
const DRAINED_BYTES = 65_536;
/**
 * How long the rest of a larger body is discarded. A client that is disconnected while it writes would not see the
 * response.
 */
const LINGER_MS = 500;
/** Smaller responses fit into the socket buffers of the system. */
const HELD_BYTES = 16_384;
/** A client that reads nothing of its response for this long is disconnected. */
const STALL_MS = 30_000;

/** The pattern of a path that no route matches. */
export const NO_ROUTE = "none";
export const JSON_TYPE = "application/json; charset=utf-8";
const TOKEN = /^(\/v1\/(?:webhooks\/[^/]+\/trigger|resume)\/).+/;

/** Responds with a page for a person instead of JSON. */
export interface PersonPage {
  done(result: unknown): void;
  failed(failure: Failure): Promise<void>;
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";

/** One request and its response. */
export class Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  readonly path: string;
  /** The text after the question mark. */
  readonly search: string;
  /** Names and values of headers for every response to this request. */
  readonly headers: string[];
  /** The RateLimit headers of the limit that was charged last. */
  limit: string[] = [];
  /** Set by authentication only. */
  identity: Identity | undefined;
  /** When the caller was last verified, in ms of a monotonic clock. */
  identifiedAt = 0;
  /** The address from which the caller was identified. */
  callerAddress = "";
  /** The pattern of the path, once a route matches. */
  route = NO_ROUTE;
  /** Set if the response is a page for a person. */
  page: PersonPage | undefined;
  /** True if the response is an event stream, which stays open. */
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

  /** The path for logs and traces, without the token of a webhook or of a step. */
  get shownPath(): string {
    return this.path.replace(TOKEN, "$1…");
  }

  get clientGone(): boolean {
    return this.res.destroyed || this.req.socket.destroyed;
  }

  /** Sends the response. Without a type it has no body. */
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

  /** Limits the unread response, in time and together with all others. */
  #hold(bytes: number): void {
    const { res } = this;
    const release = () => backlog.release(res);
    res.once("finish", release).once("close", release);
    res.setTimeout(STALL_MS, () => res.destroy());
    backlog.hold(res, bytes);
  }

  /** Whether the rest of the body is too long to wait for. */
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
    this.send(status, JSON_TYPE, JSON.stringify(value));
  }
}
