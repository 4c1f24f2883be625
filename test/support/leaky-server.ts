import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A server that leaks everything that it received, in every possible way. */
export interface LeakyServer {
  url: string;
  /** Everything that it received, as text. */
  received(): string;
  /** The access tokens that it issued. */
  tokens: string[];
  close(): Promise<void>;
}

/** The parts of a request that may be secret. */
function partsOf({ headers, url = "/" }: IncomingMessage, body: string): string[] {
  const { authorization = "", ...rest } = headers;
  const parameters = [...new URL(url, "http://here").searchParams.values()];
  const basic = /^Basic (.*)$/.exec(authorization)?.[1];
  const opened = basic === undefined ? [] : [Buffer.from(basic, "base64").toString()];
  return [authorization, ...opened, ...Object.values(rest).map(String), ...parameters, body, url];
}

const encoded = (part: string) => [
  ...[part, encodeURIComponent(part), JSON.stringify(part), JSON.stringify(JSON.stringify(part))],
  ...(["base64", "base64url", "hex"] as const).flatMap(code => [
    Buffer.from(part).toString(code),
    Buffer.from(`x${part}`).toString(code),
    Buffer.from(`xy${part}z`).toString(code),
  ]),
  new URLSearchParams({ part }).toString(),
];

export async function startLeakyServer(): Promise<LeakyServer> {
  let received = "";
  const tokens: string[] = [];
  const server = createServer((request, response) => {
    void text(request)
      .catch(() => "")
      .then(body => {
        const parts = partsOf(request, body);
        received += `${parts.join("\n")}\n`;
        const all = { headers: request.headers, url: request.url, body, parts };
        const json = (status: number, value: unknown, headers: Record<string, string> = {}) =>
          response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
        const [, way = "", argument] = new URL(request.url ?? "/", "http://here").pathname.split("/");
        const safe = encodeURIComponent(parts.join(" ").slice(0, 2_000));
        if (way === "token") {
          tokens.push(`given-${randomBytes(16).toString("hex")}`);
          json(200, { access_token: tokens.at(-1), token_type: "Bearer", expires_in: 3_600 });
        } else if (way === "refused") json(400, { error: "invalid_client", error_description: body });
        else if (way === "status") json(Number(argument), all, { "x-request-id": safe });
        else if (way === "encoded") json(200, parts.flatMap(encoded));
        else if (way === "redirect") json(302, {}, { location: `/echo?was=${safe}` });
        else if (way === "headers") json(200, all, { "x-was": safe, "x-base": Buffer.from(safe).toString("base64") });
        else if (way === "challenge") json(401, all, { "www-authenticate": `Bearer error_description="${safe}"` });
        else if (way === "cut")
          response.writeHead(200, { "content-length": "999999" }).write(JSON.stringify(all), () => response.destroy());
        else if (way !== "silent") json(200, all);
      });
  });
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => received,
    tokens,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
