import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A resource server. It accepts any bearer token except those that it was told to forget, and repeats the token in its
 * response.
 */
export interface TokenGuard {
  url: string;
  /** The received tokens, oldest first. */
  tokens: string[];
  /** The number of refused requests. */
  refused: number;
  /** Refuses all tokens received so far. */
  forget(): void;
  close(): Promise<void>;
}

export async function startTokenGuard(): Promise<TokenGuard> {
  const tokens: string[] = [];
  let forgotten = new Set<string>();
  const server = createServer((request, response) => {
    const token = (request.headers.authorization ?? "").replace(/^Bearer /, "");
    const known = token !== "" && !forgotten.has(token);
    if (known) tokens.push(token);
    else guard.refused++;
    response.writeHead(known ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify({ token, known }));
  });
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  const guard: TokenGuard = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tokens,
    refused: 0,
    forget: () => void (forgotten = new Set(tokens)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return guard;
}
