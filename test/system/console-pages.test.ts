import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GATEWAY_ROUTES, ROUTES } from "../../contracts/routes.ts";
import { acceptedEncoding } from "../../services/gateway/http/accepted-encoding.ts";
import { readConsole } from "../../services/gateway/console/files.ts";
import { PAGE_SEGMENTS, pagesFor } from "../../services/gateway/console/paths.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

/** As a browser asks, without undoing an encoding. */
function ask(url: string, path: string, headers: Record<string, string> = {}, method = "GET") {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>((resolve, reject) => {
    const sent = request(url + path, { method, headers: { accept: "text/html,*/*;q=0.8", ...headers } }, response => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
    });
    sent.on("error", reject).end();
  });
}

let server: Server;
let apiOnly: Server;

beforeAll(async () => {
  execFileSync("node", ["scripts/build-console.ts"]);
  [server, apiOnly] = await Promise.all([sharedServer(), startServer({ env: { CONSOLE: "false" } })]);
});
afterAll(() => removeServer(apiOnly));

describe("the page", () => {
  it.each(["/", "/w/acme/runs", "/a/1/2", "/me", "/sign-in", "/sign-up", "/invite", "/operator?x=1"])(
    "is served at %s, with its content security policy",
    async path => {
      const { status, headers, body } = await ask(server.url, path);
      expect(status).toBe(200);
      expect(headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(headers["cache-control"]).toBe("no-cache");
      expect(headers.vary).toBe("Accept, Accept-Encoding");
      expect(headers["content-security-policy"]).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types weft",
      );
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
      });
      expect(body.toString()).toContain('<div id="root">');
      expect(body.toString()).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|https?:/);
    },
  );

  it("links to assets that are compressed and immutable", async () => {
    const html = (await ask(server.url, "/")).body.toString();
    const assets = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    expect(assets.some(path => path.endsWith(".js"))).toBe(true);
    for (const path of assets) {
      const plain = await ask(server.url, path, { accept: "*/*" });
      expect(plain.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
      expect(plain.headers["content-encoding"]).toBeUndefined();
      const gzip = await ask(server.url, path, { "accept-encoding": "gzip, deflate" });
      const br = await ask(server.url, path, { "accept-encoding": "gzip, deflate, br" });
      if (plain.body.length < 1_024) continue;
      expect([gzip.headers["content-encoding"], br.headers["content-encoding"]]).toEqual(["gzip", "br"]);
      expect(br.body.length).toBeLessThan(gzip.body.length);
      expect(gzip.body.length).toBeLessThan(plain.body.length);
      expect(new Set([plain, gzip, br].map(answer => answer.headers.etag)).size).toBe(3);
    }
  });

  it("answers 304 to a matching ETag, and HEAD without a body", async () => {
    const { headers, body } = await ask(server.url, "/");
    const again = await ask(server.url, "/", { "if-none-match": String(headers.etag) });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
    const head = await ask(server.url, "/", {}, "HEAD");
    expect([head.status, head.body.length, head.headers["content-length"]]).toEqual([200, 0, `${body.length}`]);
  });

  const isProblem = ({ status, headers, body }: Awaited<ReturnType<typeof ask>>) => {
    expect([status, headers["content-type"]]).toEqual([404, "application/problem+json"]);
    expect(JSON.parse(body.toString())).toMatchObject({ code: "not_found" });
  };

  it.each(["/v1", "/v1/nothing", "/assets/none-12345678.js"])("is not served at %s", async path =>
    isProblem(await ask(server.url, path)),
  );

  it.each(["/nothing", "/w-x", "//", "/health/nothing", "/assets/../config"])(
    "tells a browser at %s, which nothing serves, with the status 404",
    async path => {
      const [known, { status, headers, body }] = [await ask(server.url, "/"), await ask(server.url, path)];
      expect([status, headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
      expect(headers["content-security-policy"]).toBe(known.headers["content-security-policy"]);
      expect([headers["cache-control"], headers.etag]).toEqual(["no-store", undefined]);
      expect(body.equals(known.body)).toBe(true);
      isProblem(await ask(server.url, path, { accept: "application/json" }));
      isProblem(await ask(server.url, path, {}, "POST"));
      isProblem(await ask(apiOnly.url, path));
    },
  );

  it("of the documentation says that a path has none, and offers the others", async () => {
    const { status, headers, body } = await ask(apiOnly.url, "/docs/nothing");
    expect([status, headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
    expect(body.toString()).toContain("<h1>Not found</h1>");
    expect(body.toString()).toContain('href="/docs/webhooks"');
    isProblem(await ask(apiOnly.url, "/docs/nothing", { accept: "application/json" }));
  });

  it("is served to browsers only, and for GET and HEAD only", async () => {
    expect((await ask(server.url, "/", { accept: "application/json" })).status).toBe(404);
    expect((await ask(server.url, "/me", {}, "POST")).status).toBe(404);
  });

  it("can be turned off", async () => {
    const { status, headers } = await ask(apiOnly.url, "/");
    expect([status, headers["content-type"]]).toEqual([404, "application/problem+json"]);
  });
});

describe("the paths of the page", () => {
  it("do not collide with paths of the API", () => {
    const taken = [...ROUTES, ...GATEWAY_ROUTES].map(({ path }) => path.split("/")[1]!);
    expect(taken.filter(segment => PAGE_SEGMENTS.has(segment))).toEqual([]);
    expect(pagesFor("/a/x")).toEqual(["/answer.html", "/index.html"]);
    expect(["/x", "/ax", "//", "/v1"].flatMap(pagesFor)).toEqual([]);
  });
});

describe("a form of a file", () => {
  it.each([
    [undefined, undefined],
    ["", undefined],
    ["gzip", "gzip"],
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["GZIP, BR", "br"],
    ["identity", undefined],
    ["gzip;q=0", undefined],
  ])("serves %s as %s", (header, expected) => {
    expect(acceptedEncoding(header, ["br", "gzip"])).toBe(expected);
  });
});

describe("the built files", () => {
  it("may be missing, but not incomplete", () => {
    const folder = mkdtempSync(join(tmpdir(), "weft-console-"));
    try {
      expect(readConsole(folder)).toBeUndefined();
      mkdirSync(join(folder, "assets"));
      writeFileSync(join(folder, "manifest.json"), "{");
      expect(() => readConsole(folder)).toThrow(SyntaxError);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("are not rebuilt without a change", () => {
    expect(existsSync("console/dist/stamp")).toBe(true);
    expect(execFileSync("node", ["scripts/build-console.ts"]).toString()).toBe("");
  });
});
