import zlib from "node:zlib";
import { call, closeAll, closed, failure, guard, type Handler, serve, text } from "../support/outbound.ts";

afterEach(closeAll);

describe("limits", () => {
  const endless: Handler = (_, response) => {
    const chunk = Buffer.alloc(64 * 1024);
    const more = () => {
      while (response.write(chunk));
    };
    response.on("drain", more);
    more();
  };

  test("cut off an endless body, and close its connection", async () => {
    const server = await serve(endless);
    const error = await failure(call(guard(), server.url, { maxBytes: 1_000_000 }));
    expect(error).toMatchObject({ code: "response_too_large", message: expect.stringContaining("1000000") as string });
    await closed(server.sockets);
  });

  test("do not read a body that announces too much", async () => {
    const server = await serve(
      (_, response) => void response.writeHead(200, { "content-length": 6_000_000 }).write("x"),
    );
    expect((await failure(call(guard(), server.url))).code).toBe("response_too_large");
  });

  test.each<[string, Handler]>([
    ["no answer", () => undefined],
    ["headers that never end", request => void request.socket.write("HTTP/1.1 200 OK\r\nx: y\r\n")],
    ["a body that trickles", (_, response) => void response.writeHead(200).write("x")],
    ["a body that stops short", (_, response) => void response.writeHead(200, { "content-length": 10 }).write("x")],
    [
      "redirects whose targets never answer",
      (request, response) => void (request.url === "/" && response.writeHead(302, { location: "/b" }).write("x")),
    ],
  ])("end %s in outbound_timeout", async (_, handler) => {
    const server = await serve(handler);
    expect((await failure(call(guard(), server.url, { timeoutMs: 100 }))).code).toBe("outbound_timeout");
  });

  test("cover a name server that never answers, and the queue for connections", async () => {
    const resolve = () => new Promise<never>(() => undefined);
    expect((await failure(call(guard({ resolve }), "http://slow.example/", { timeoutMs: 50 }))).code).toBe(
      "outbound_timeout",
    );
    const server = await serve(() => undefined);
    const one = guard({ connectionsPerOrigin: 1 });
    const errors = await Promise.all([1, 2, 3].map(() => failure(call(one, server.url, { timeoutMs: 100 }))));
    expect(errors.map(error => error.code)).toEqual(Array(3).fill("outbound_timeout"));
    // Another may get the place of one that gave up, and never all of them.
    expect(server.seen.length).toBeLessThan(3);
  });

  test.each<[string, (body: Buffer) => Buffer]>([
    ["gzip", zlib.gzipSync],
    ["br", zlib.brotliCompressSync],
    ["deflate", zlib.deflateSync],
  ])("decode %s, but not a bomb of it", async (encoding, encode) => {
    const small = encode(Buffer.from("hello ".repeat(100)));
    const bomb = encode(Buffer.alloc(20 * 1024 * 1024));
    const server = await serve((request, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(request.url === "/bomb" ? bomb : small);
    });
    const answer = await call(guard(), server.url);
    expect(text(answer.body)).toBe("hello ".repeat(100));
    expect(answer.headers).not.toHaveProperty("content-encoding");
    expect(server.seen[0]?.headers["accept-encoding"]).toContain(encoding);
    expect((await failure(call(guard(), `${server.url}/bomb`))).code).toBe("response_too_large");
  });

  test.each([
    ["deflate", zlib.deflateRawSync("raw"), "raw"],
    ["gzip, br", zlib.brotliCompressSync(zlib.gzipSync("twice")), "twice"],
    ["identity", Buffer.from("as it is"), "as it is"],
  ])("%s", async (encoding, body, expected) => {
    const server = await serve((_, response) => response.writeHead(200, { "content-encoding": encoding }).end(body));
    expect(text((await call(guard(), server.url)).body)).toBe(expected);
  });

  test.each([
    ["gzip", "not gzip"],
    ["exotic", "x"],
    ["gzip, gzip, gzip", "x"],
  ])("fail a call with %s of %j", async (encoding, body) => {
    const server = await serve((_, response) => response.writeHead(200, { "content-encoding": encoding }).end(body));
    expect((await failure(call(guard(), server.url))).code).toBe("outbound_failed");
  });

  test("bound the number of running calls", async () => {
    const server = await serve(() => undefined);
    const guarded = guard({ maxInFlight: 1 });
    const abort = new AbortController();
    const first = failure(call(guarded, server.url, { signal: abort.signal }));
    expect((await failure(call(guarded, server.url))).code).toBe("outbound_busy");
    abort.abort();
    expect((await first).code).toBe("outbound_aborted");
    expect((await failure(call(guarded, server.url, { timeoutMs: 50 }))).code).toBe("outbound_timeout");
  });
});
