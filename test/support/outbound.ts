import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createGuardedFetch } from "../../adapters/net/guarded-fetch.ts";
import type { GuardedFetch, OutboundRequest } from "../../adapters/net/port.ts";
import { OutboundError } from "../../adapters/net/outbound-error.ts";

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export const closers: (() => unknown)[] = [];

/** Closes everything that the test has started. Call it in `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

export async function serve(
  handler: Handler,
): Promise<{ url: string; port: number; seen: IncomingMessage[]; sockets: Set<Socket> }> {
  const seen: IncomingMessage[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    seen.push(request);
    handler(request, response);
  });
  server.on("connection", socket => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, seen, sockets };
}

export function guard(options: Partial<Parameters<typeof createGuardedFetch>[0]> = {}): GuardedFetch {
  const guarded = createGuardedFetch({ allow: ["127.0.0.1/32"], ...options });
  closers.push(() => guarded.close());
  return guarded;
}

export const text = (body: Uint8Array) => Buffer.from(body).toString();
export const closed = async (sockets: Iterable<Socket>) => {
  for (const socket of sockets) {
    if (!socket.destroyed) await new Promise<void>(done => socket.on("close", () => done()));
  }
};
export const failure = async (promise: Promise<unknown>): Promise<OutboundError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof OutboundError) return error;
  throw new Error(`expected an OutboundError, got ${String(error)}`);
};
export const call = (guarded: GuardedFetch, url: string, more: Partial<OutboundRequest> = {}) =>
  guarded.fetch({ url, timeoutMs: 10_000, ...more });
