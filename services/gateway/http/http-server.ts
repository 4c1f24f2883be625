import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { randomUUID } from "node:crypto";
import { problemOf } from "./problem.ts";
import { API_HEADERS } from "./security-headers.ts";

// Importing node:http would evaluate all of its exports, including the client behind `fetch`, which costs 40 ms and 5
// MiB.
const { createServer, STATUS_CODES } = process.getBuiltinModule("node:http");

type Handler = (req: IncomingMessage, res: ServerResponse) => unknown;

const MAX_HEADER_BYTES = 16_384;
/** The time limits for a client's headers and for its whole request. Slower clients would occupy sockets. */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 60_000;
const CHECK_MS = 5_000;
/**
 * This is longer than the usual idle limit of load balancers (one minute), so that the load balancer closes the
 * connection first.
 */
const KEEP_ALIVE_MS = 65_000;

const DETAILS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: `The headers are larger than ${MAX_HEADER_BYTES} bytes.`,
  ERR_HTTP_REQUEST_TIMEOUT: "The request did not arrive in time.",
};

/**
 * Responds to malformed or slow HTTP. There is no request object in this case. A connection without a request is closed
 * without a response. Browsers open connections in advance, and would take such a response for the one to the request
 * that they are just sending. They send it again if the connection is closed.
 */
function refuse(error: Error & { code?: string }, socket: Socket): void {
  const isWithoutRequest = socket.bytesRead === 0 || socket.bytesWritten > 0;
  if (!socket.writable || error.code === "ECONNRESET" || isWithoutRequest) return void socket.destroy();
  const requestId = randomUUID();
  const detail = DETAILS[error.code ?? ""] ?? "The request is not valid HTTP.";
  const body = JSON.stringify(problemOf({ code: "validation_failed", data: { detail } }, requestId));
  const headers = [...API_HEADERS, "X-Request-Id", requestId, "Content-Type", "application/problem+json"];
  headers.push("Content-Length", `${Buffer.byteLength(body)}`, "Connection", "close");
  const lines = headers.flatMap((name, i) => (i % 2 ? [] : [`${name}: ${headers[i + 1]}`]));
  socket.end(`HTTP/1.1 400 ${STATUS_CODES[400]}\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
}

/** An HTTP server that limits every wait for a client. The time to process a request is limited elsewhere. */
export class HttpServer {
  readonly server: Server;
  #answering = 0;
  #answered: (() => void) | undefined;

  constructor(handler: Handler) {
    const counted: Handler = (req, res) => {
      this.#answering++;
      res.once("close", () => {
        if (--this.#answering === 0) this.#answered?.();
      });
      handler(req, res);
    };
    this.server = createServer(
      {
        maxHeaderSize: MAX_HEADER_BYTES,
        headersTimeout: HEADERS_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        connectionsCheckingInterval: CHECK_MS,
        keepAliveTimeout: KEEP_ALIVE_MS,
      },
      counted,
    );
    // A client should not send a body that will be refused, so the code that reads a body sends `100 Continue`.
    this.server.on("checkContinue", counted);
    this.server.on("clientError", refuse);
  }

  /** Accepts no more connections, lets current responses finish for up to `graceMs`, and closes every connection. */
  async close(graceMs: number): Promise<void> {
    if (!this.server.listening) return;
    const closed = new Promise<void>(resolve => this.server.close(() => resolve()));
    if (this.#answering > 0) {
      const answered = new Promise<void>(resolve => (this.#answered = resolve));
      const timer = setTimeout(() => this.#answered?.(), graceMs);
      await answered;
      clearTimeout(timer);
    }
    this.server.closeAllConnections();
    await closed;
  }
}
