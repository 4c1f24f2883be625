import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { buffer } from "node:stream/consumers";

/** A server that records everything that it receives, and responds with `{}`. */
export interface Listener {
  url: string;
  /** Addresses, headers and bodies, as text. */
  received(): string;
  close(): Promise<void>;
}

export async function startListener(): Promise<Listener> {
  const all: string[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then(body => {
      const isZipped = request.headers["content-encoding"] === "gzip";
      all.push(
        [request.method, request.url, JSON.stringify(request.headers), isZipped ? gunzipSync(body) : body].join(" "),
      );
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  server.on("connect", (request, socket) => {
    all.push(`CONNECT ${request.url} ${JSON.stringify(request.headers)}`);
    socket.destroy();
  });
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => all.join("\n"),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
