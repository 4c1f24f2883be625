import { once } from "node:events";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import zlib from "node:zlib";
import type { OutboundRequest } from "../../adapters/net/port.ts";
import { call, closeAll, closed, failure, guard, serve, text } from "../support/outbound.ts";

afterEach(closeAll);

describe("calls", () => {
  test("return status, headers, body and the final URL, over one connection", async () => {
    const server = await serve((request, response) => {
      let body = "";
      request.on("data", chunk => (body += String(chunk)));
      request.on("end", () => {
        response.writeHead(201, { "x-a": "b", "set-cookie": ["c=1", "d=2"] });
        response.end(`${request.method} ${request.url} ${String(request.headers["x-me"])} ${body}`);
      });
    });
    const guarded = guard({ connectionsPerOrigin: 1 });
    const answer = await call(guarded, `${server.url}/p?q=1#frag`, {
      method: "post",
      headers: { "X-Me": "m" },
      body: "hello",
    });
    expect(answer).toMatchObject({
      status: 201,
      headers: { "x-a": "b", "set-cookie": "c=1, d=2" },
      url: `${server.url}/p?q=1#frag`,
    });
    expect(text(answer.body)).toBe("POST /p?q=1 m hello");
    for (let i = 0; i < 5; i++) await call(guarded, server.url, { method: "PUT", body: new Uint8Array([104, 105]) });
    expect(text((await call(guarded, server.url, { method: "DELETE" })).body)).toBe("DELETE / undefined ");
    expect(server.sockets.size).toBe(1);
  });

  test("run concurrently to one server for all runs on a worker", async () => {
    const PLACES = 64;
    const waiting: (() => void)[] = [];
    const server = await serve((_, response) => {
      // None is answered before all have come.
      waiting.push(() => response.end());
      if (waiting.length === PLACES) for (const answer of waiting) answer();
    });
    const guarded = guard();
    const answers = await Promise.all(Array.from({ length: PLACES }, () => call(guarded, server.url)));
    expect(answers.map(({ status }) => status)).toEqual(Array(PLACES).fill(200));
  });

  test("with HEAD have no body, whatever length is announced", async () => {
    const server = await serve((_, response) => response.writeHead(200, { "content-length": 10_000_000 }).end());
    const answer = await call(guard(), server.url, { method: "HEAD" });
    expect(answer).toMatchObject({ status: 200, headers: { "content-length": "10000000" } });
    expect(answer.body).toHaveLength(0);
  });

  test.each(["CONNECT", "TRACE", "GET / HTTP/1.1\r\nx: y", "BREW"])("reject the method %j", async method => {
    expect(await failure(call(guard(), "http://127.0.0.1:9/", { method }))).toMatchObject({ code: "outbound_refused" });
  });

  test.each(["nonsense", "http://", "//x", `http://x/${"a".repeat(20_000)}`])("reject the URL %.20s", async url => {
    expect((await failure(call(guard(), url))).code).toBe("outbound_refused");
  });

  test("fail if the server does not answer or sends invalid data", async () => {
    const tcp = createTcpServer(socket =>
      socket
        .on("error", () => undefined)
        .resume()
        .end("nonsense\r\n\r\n"),
    ).listen(0, "127.0.0.1");
    await once(tcp, "listening");
    const { port } = tcp.address() as AddressInfo;
    const guarded = guard();
    expect((await failure(call(guarded, `http://127.0.0.1:${port}/`))).code).toBe("outbound_failed");
    await new Promise(done => tcp.close(done));
    const error = await failure(call(guarded, `http://127.0.0.1:${port}/`));
    expect(error).toMatchObject({
      code: "outbound_failed",
      message: expect.stringContaining("ECONNREFUSED") as string,
    });
  });
});

describe("where calls may go", () => {
  test("excludes loopback unless it is listed", async () => {
    const server = await serve((_, response) => response.end("secret"));
    const error = await failure(call(guard({ allow: [] }), server.url));
    expect(error).toMatchObject({ code: "outbound_refused", message: expect.stringContaining("loopback") as string });
    expect(server.sockets.size).toBe(0);
  });

  test.each([
    [["10.0.0.1"], "private"],
    [["127.0.0.1", "169.254.169.254"], "metadata"],
    [["::1"], "loopback"],
  ])("excludes a name that resolves to %j before any connection", async (addresses, word) => {
    const server = await serve((_, response) => response.end());
    const resolve = () =>
      Promise.resolve(addresses.map(address => ({ address, family: address.includes(":") ? 6 : 4 })));
    const error = await failure(call(guard({ resolve }), `http://some.example:${server.port}/`));
    expect(error).toMatchObject({ code: "outbound_refused", message: expect.stringContaining(word) as string });
    expect(error.message).not.toContain("169.254");
    expect(server.sockets.size).toBe(0);
  });

  test("uses the checked address although the name changes its address afterwards", async () => {
    const server = await serve((_, response) => response.end("ok"));
    const answers = ["127.0.0.1", "10.0.0.1", "127.0.0.1"];
    const resolve = jest.fn(() => Promise.resolve([{ address: answers.shift() ?? "10.0.0.1", family: 4 }]));
    const guarded = guard({ resolve, connectionsPerOrigin: 1 });
    const url = `http://rebinding.example:${server.port}/`;
    expect(text((await call(guarded, url)).body)).toBe("ok");
    // One question for one connection, and the connection went to its answer; kept alive, it asks no more.
    expect(resolve).toHaveBeenCalledTimes(1);
    await call(guarded, url);
    expect(resolve).toHaveBeenCalledTimes(1);
    for (const socket of server.sockets) socket.destroy();
    await closed(server.sockets);
    // A call may still be given to the connection that was just lost: it fails, and the next makes another.
    let error = await failure(call(guarded, url));
    if (error.code === "outbound_failed") error = await failure(call(guarded, url));
    expect(error.code).toBe("outbound_refused");
  });

  test("includes listed names with their port", async () => {
    const server = await serve((request, response) => response.end(request.headers.host));
    const resolve = () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
    const guarded = guard({ resolve, allow: [`db.internal:${server.port}`, "localhost"] });
    expect(text((await call(guarded, `http://db.internal:${server.port}/`)).body)).toBe(`db.internal:${server.port}`);
    expect(text((await call(guarded, `http://localhost:${server.port}/`)).body)).toBe(`localhost:${server.port}`);
    expect((await failure(call(guarded, `http://other.internal:${server.port}/`))).code).toBe("outbound_refused");
  });

  test("excludes names without an address", async () => {
    expect((await failure(call(guard({ resolve: () => Promise.resolve([]) }), "http://empty.example/"))).code).toBe(
      "outbound_failed",
    );
    const resolve = () => Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" }));
    const error = await failure(call(guard({ resolve }), "http://none.example/"));
    expect(error.message).toContain("ENOTFOUND");
  });
});

describe("cancelling", () => {
  test("ends a call at once: before it starts, while it resolves, waits or reads", async () => {
    const abort = new AbortController();
    const { signal } = abort;
    const arrived = Promise.withResolvers<void>();
    const server = await serve((request, response) => {
      if (request.url === "/read") response.writeHead(200).write("x");
      if (server.seen.length === 2) arrived.resolve();
    });
    const guarded = guard({ resolve: () => new Promise<never>(() => undefined) });
    const calls = [`${server.url}/wait`, `${server.url}/read`, "http://slow.example/"].map(url =>
      failure(call(guarded, url, { signal })),
    );
    await arrived.promise;
    abort.abort();
    calls.push(failure(call(guarded, server.url, { signal })));
    expect((await Promise.all(calls)).map(error => error.code)).toEqual(Array(4).fill("outbound_aborted"));
    await closed(server.sockets);
  });

  test("ends all running calls when the guard closes", async () => {
    const arrived = Promise.withResolvers<void>();
    const server = await serve(() => arrived.resolve());
    const guarded = guard();
    const pending = failure(call(guarded, server.url));
    await arrived.promise;
    await guarded.close();
    expect((await pending).message).toMatch(/stopping/);
  });
});

describe("streams", () => {
  test("return the body as it arrives, and are closed when their reader stops", async () => {
    const server = await serve(
      (_, response) => void response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n"),
    );
    const answer = await guard({ maxInFlight: 1 }).stream({ url: server.url, timeoutMs: 10_000 });
    expect(answer).toMatchObject({ status: 200, headers: { "content-type": "text/event-stream" } });
    expect(server.seen[0]?.headers["accept-encoding"]).toBe("identity");
    for await (const chunk of answer.body) {
      expect(text(chunk)).toBe("data: 1\n\n");
      break;
    }
    await closed(server.sockets);
  });

  test("have the same limits", async () => {
    const server = await serve((request, response) => {
      if (request.url === "/zip") response.writeHead(200, { "content-encoding": "gzip" }).end(zlib.gzipSync("x"));
      else response.writeHead(200).write("x".repeat(1_000));
    });
    const guarded = guard();
    const readAll = async (request: OutboundRequest) => {
      for await (const chunk of (await guarded.stream(request)).body) expect(chunk.length).toBeGreaterThan(0);
    };
    expect((await failure(readAll({ url: server.url, timeoutMs: 10_000, maxBytes: 10 }))).code).toBe(
      "response_too_large",
    );
    expect((await failure(readAll({ url: server.url, timeoutMs: 100 }))).code).toBe("outbound_timeout");
    expect((await failure(readAll({ url: `${server.url}/zip`, timeoutMs: 10_000 }))).code).toBe("outbound_failed");
    expect((await failure(readAll({ url: "http://10.0.0.1/", timeoutMs: 10_000 }))).code).toBe("outbound_refused");
  });
});
