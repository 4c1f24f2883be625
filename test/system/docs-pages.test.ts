import { rawConnection } from "../support/raw-http.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let server: Server;
beforeAll(async () => {
  server = await sharedServer();
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${server.url}${path}`, { headers });
const linksIn = (html: string) =>
  [...html.matchAll(/ (?:href|src|data-search)="(\/[^"#]*)/g)].map(([, link = ""]) => link);
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; require-trusted-types-for 'script'; frame-ancestors 'none'";

/** Every path that can be reached by links from the first page, with its answer. */
async function crawl(): Promise<
  Map<string, { status: number; type: string; policy: string | null; cache: string | null }>
> {
  const seen = new Map<string, { status: number; type: string; policy: string | null; cache: string | null }>();
  const left = ["/docs"];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (seen.has(path)) continue;
    const answer = await get(path);
    const type = answer.headers.get("content-type") ?? "";
    const { status, headers } = answer;
    const text = await answer.text();
    seen.set(path, {
      status,
      type,
      policy: headers.get("content-security-policy"),
      cache: headers.get("cache-control"),
    });
    if (type.startsWith("text/html")) left.push(...linksIn(text));
  }
  return seen;
}

describe("the documentation over HTTP", () => {
  it("serves every linked page and file, with a content security policy that allows nothing else", async () => {
    const seen = await crawl();
    expect(seen.size).toBeGreaterThan(50);
    expect([...seen].filter(([, { status }]) => status !== 200)).toEqual([]);
    for (const [path, { type, policy, cache }] of seen) {
      if (path === "/openapi.json") continue;
      expect({ path, policy }).toEqual({ path, policy: POLICY });
      const page = type.startsWith("text/html");
      expect({ path, cache }).toEqual({ path, cache: page ? "no-cache" : "public, max-age=31536000, immutable" });
    }
  });

  it("answers 304 if the browser already has the page", async () => {
    const first = await get("/docs/steps");
    const etag = first.headers.get("etag")!;
    await first.text();
    const again = await get("/docs/steps/", { "If-None-Match": etag });
    expect({ status: again.status, text: await again.text() }).toEqual({ status: 304, text: "" });
    const head = await fetch(`${server.url}/docs/steps`, { method: "HEAD" });
    expect(head.headers.get("content-length")).toBe(first.headers.get("content-length"));
  });

  it.each(["/docs/nothing", "/docs/adr/9999", "/docs/a/b/c", "/docs/..%2fpackage.json", "/docs/%2e%2e/config.ts"])(
    "answers %s with a problem",
    async path => {
      const answer = await get(path);
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
      expect(await answer.json()).toMatchObject({ status: 404, code: "not_found" });
    },
  );

  it.each(["/docs", "/docs/steps", "/docs/reference/executions"])(
    "opens %s from a link to which a chat or a mail added parameters",
    async path => {
      const answer = await get(`${path}?utm_source=chat`);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/html")]);
      await answer.body?.cancel();
    },
  );

  it("serves no path outside of the documentation", async () => {
    const connection = rawConnection(Number(new URL(server.url).port));
    connection.socket.write("GET /docs/../package.json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    expect(await connection.until(/"code":/)).toMatch(/^HTTP\/1\.1 404 /);
    connection.socket.destroy();
  });
});
