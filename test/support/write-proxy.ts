import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface WriteProxy {
  url: string;
  /** Calls `kill` instead of responding to the nth write request. */
  killAt: (n: number, kill: () => void) => void;
  /** Awaits `hook` before a write request is forwarded. */
  before: (hook: (request: IncomingMessage) => Promise<unknown>) => void;
  close: () => Promise<void>;
}

/** Forwards requests to a server. */
export async function writeProxy(url: string): Promise<WriteProxy> {
  let [left, end] = [Infinity, () => undefined as void];
  let hook: (request: IncomingMessage) => Promise<unknown> = () => Promise.resolve();
  const server = createServer((from, to) => {
    const target = new URL(from.url ?? "/", url);
    const options = { method: from.method, headers: { ...from.headers, host: target.host } };
    const pass = () => {
      const passed = request(target, options, answer => {
        if (from.method !== "GET" && --left === 0) {
          answer.resume().once("end", () => (end(), to.destroy()));
          return;
        }
        to.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(to);
      });
      passed.on("error", () => to.destroy());
      from.pipe(passed);
    };
    if (from.method === "GET") pass();
    else hook(from).then(pass, () => to.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    killAt: (n, kill) => void ([left, end] = [n, kill]),
    before: next => void (hook = next),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close").catch(() => undefined);
    },
  };
}
