import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface CredentialProxy {
  url: string;
  close(): Promise<void>;
}

/** Forwards requests, including Host, and adds a credential. For programs that cannot be given one. */
export async function startCredentialProxy(target: string, token: string): Promise<CredentialProxy> {
  const server = createServer((req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${token}` };
    const passed = request(new URL(req.url ?? "/", target), { method: req.method, headers }, answer => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    passed.on("error", () => res.destroy());
    res.on("close", () => passed.destroy());
    req.pipe(passed);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
