import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface Received {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A server that workflows call. The path selects its behaviour. */
export interface Endpoint {
  url: string;
  /** The requests to a path, oldest first. */
  received(path: string): Received[];
  close(): Promise<void>;
}

/**
 * `/echo…` returns the request, `/status/<n>` responds with n, `/flaky/<n>/…` fails with 503 n times and then succeeds,
 * `/silent…` never responds, `/large/<bytes>` returns that much text, `/redirect/<address>` redirects there,
 * `/redirect307/<address>` with the body.
 */
export async function startEndpoint(): Promise<Endpoint> {
  const all: Received[] = [];
  const server = createServer((req, res) => {
    void text(req).then(body => {
      const { pathname: path, searchParams } = new URL(req.url ?? "/", "http://here");
      const got = {
        method: req.method ?? "",
        path,
        query: Object.fromEntries(searchParams),
        headers: req.headers,
        body,
      };
      all.push(got);
      const [, kind, argument = ""] = path.split("/");
      const json = (status: number, value: unknown) =>
        res.writeHead(status, { "content-type": "application/json", "x-endpoint": "here" }).end(JSON.stringify(value));
      const before = all.filter(other => other.path === path).length;
      if (kind === "status") json(Number(argument), { status: Number(argument) });
      else if (kind === "flaky") json(before > Number(argument) ? 200 : 503, { before });
      else if (kind === "large") res.end("x".repeat(Number(argument)));
      else if (kind === "redirect307") res.writeHead(307, { location: decodeURIComponent(argument) }).end();
      else if (kind === "redirect") res.writeHead(302, { location: decodeURIComponent(argument) }).end();
      else if (kind === "text") res.writeHead(200, { "content-type": "text/plain" }).end("plain text");
      else if (kind !== "silent") json(200, got);
    });
  })
    .listen(0, "127.0.0.1")
    .unref();
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: path => all.filter(one => one.path === path),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
