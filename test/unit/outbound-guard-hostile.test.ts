import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import zlib from "node:zlib";
import type { OutboundErrorCode } from "../../adapters/net/outbound-error.ts";
import type { SignedHop } from "../../adapters/net/port.ts";
import { call, closeAll, closed, closers, failure, guard, serve, text } from "../support/outbound.ts";

afterEach(closeAll);

const OK = "HTTP/1.1 200 OK\r\n";

/** A server that answers each request with what `answer` writes, byte for byte. */
async function raw(answer: (socket: Socket, request: string) => void) {
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("data", data => answer(socket, data.toString()));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, sockets };
}

/** Writes this repeatedly until the reader closes the connection. */
function endlessly(socket: Socket, piece: string): void {
  const many = piece.repeat(Math.ceil(16_384 / piece.length));
  const more = () => {
    while (!socket.destroyed && socket.write(many));
  };
  socket.on("drain", more);
  more();
}

/** A piece every few milliseconds. */
function drip(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 5);
  socket.on("close", () => clearInterval(timer));
}

const chunked = (socket: Socket) => socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
const framed = (headers: string, body = "ok") => `${OK}${headers}\r\n\r\n${body}`;

describe("an answer without an end", () => {
  test.each<[string, OutboundErrorCode, (socket: Socket) => unknown]>([
    ["10 GB that it announces", "response_too_large", socket => socket.write(framed("content-length: 10737418240"))],
    [
      "more than anybody can count",
      "outbound_failed",
      socket => socket.write(framed(`content-length: ${"9".repeat(30)}`)),
    ],
    [
      "chunks",
      "response_too_large",
      socket => {
        chunked(socket);
        endlessly(socket, `400\r\n${"x".repeat(1024)}\r\n`);
      },
    ],
    [
      "one chunk that is larger than numbers are",
      "outbound_failed",
      socket => {
        chunked(socket);
        socket.write(`${"f".repeat(17)}\r\nx`);
      },
    ],
    [
      "a body of one byte now and then",
      "outbound_timeout",
      socket => {
        socket.write(`${OK}\r\n`);
        drip(socket, "x");
      },
    ],
    [
      "chunks of nothing but extensions, now and then",
      "outbound_timeout",
      socket => {
        chunked(socket);
        socket.write("1;");
        drip(socket, "a");
      },
    ],
    [
      "headers of one byte now and then",
      "outbound_timeout",
      socket => {
        socket.write(`${OK}x-slow: `);
        drip(socket, "x");
      },
    ],
    [
      "headers upon headers",
      "outbound_failed",
      socket => {
        socket.write(OK);
        endlessly(socket, "x-more: and more\r\n");
      },
    ],
    [
      "one header that goes on",
      "outbound_failed",
      socket => {
        socket.write(`${OK}x-long: `);
        endlessly(socket, "x");
      },
    ],
    [
      "trailers upon trailers",
      "outbound_failed",
      socket => {
        chunked(socket);
        socket.write("1\r\nx\r\n0\r\n");
        endlessly(socket, "x-more: and more\r\n");
      },
    ],
    [
      "hints before it",
      "outbound_failed",
      socket => endlessly(socket, "HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n"),
    ],
    ["leave to go on before it", "outbound_failed", socket => endlessly(socket, "HTTP/1.1 100 Continue\r\n\r\n")],
    ["a status line that goes on", "outbound_timeout", socket => endlessly(socket, "HTTP/1.1 200 OK ")],
    ["nothing that is HTTP", "outbound_failed", socket => endlessly(socket, "\0\x01\x02")],
    ["empty lines", "outbound_timeout", socket => drip(socket, "\r\n")],
  ])("%s: %s", async (_, code, answer) => {
    const server = await raw(answer);
    const timeoutMs = code === "outbound_timeout" ? 100 : 10_000;
    expect(await failure(call(guard(), server.url, { timeoutMs }))).toMatchObject({ code });
    await closed(server.sockets);
  });

  test("ends a stream in the same way", async () => {
    const server = await raw(socket => {
      socket.write(`${OK}content-type: text/event-stream\r\n\r\n`);
      drip(socket, ":\n\n");
    });
    const reading = async () => {
      const { body } = await guard().stream({ url: server.url, timeoutMs: 500 });
      for await (const chunk of body) expect(text(chunk)).toContain(":");
    };
    expect(await failure(reading())).toMatchObject({ code: "outbound_timeout" });
    await closed(server.sockets);
  });
});

describe("an answer that is framed wrongly", () => {
  test.each([
    ["less than it announces", framed("content-length: 10")],
    ["two lengths", framed("content-length: 2\r\ncontent-length: 3")],
    ["a length below nothing", framed("content-length: -1")],
    ["a length and chunks", framed("content-length: 2\r\ntransfer-encoding: chunked")],
    ["a chunk whose size is not a number", framed("transfer-encoding: chunked", "zz\r\nok\r\n0\r\n\r\n")],
    [
      "a protocol that nobody asked for",
      "HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n",
    ],
    ["a version that there is not", "HTTP/9.9 200 OK\r\n\r\n"],
    ["HTTP/2", "\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x80\0\x04\0\x01\0\0\0\x05\0\xff\xff\xff"],
  ])("%s: the call fails", async (_, bytes) => {
    const server = await raw(socket => socket.end(bytes));
    expect(await failure(call(guard(), server.url))).toMatchObject({ code: "outbound_failed" });
  });

  test("is never followed by another answer in the same data", async () => {
    const smuggled = framed("content-length: 4", "evil");
    const server = await raw((socket, request) =>
      socket.write(
        request.startsWith("GET /first") ? framed("content-length: 2") + smuggled : framed("content-length: 4", "mine"),
      ),
    );
    const guarded = guard({ connectionsPerOrigin: 1 });
    expect(text((await call(guarded, `${server.url}/first`)).body)).toBe("ok");
    expect(text((await call(guarded, `${server.url}/second`)).body)).toBe("mine");
    expect(server.sockets.size).toBe(2);
  });
});

describe("an answer that grows when it is decoded", () => {
  const zeros = Buffer.alloc(20 * 1024 * 1024);
  const bomb = zlib.gzipSync(zeros);
  test.each<[string, OutboundErrorCode, Buffer]>([
    ["gzip, gzip", "response_too_large", zlib.gzipSync(bomb)],
    ["gzip, br", "response_too_large", zlib.brotliCompressSync(bomb)],
    ["gzip", "response_too_large", Buffer.concat(Array(10).fill(zlib.gzipSync(zeros.subarray(0, 1024 * 1024))))],
    ["deflate", "response_too_large", zlib.deflateRawSync(zeros)],
    ["x-gzip", "response_too_large", bomb],
    ["gzip, gzip, gzip", "outbound_failed", zlib.gzipSync(zlib.gzipSync(bomb))],
    ["zstd", "outbound_failed", zlib.zstdCompressSync(zeros)],
    ["compress", "outbound_failed", bomb],
  ])("%s: %s", async (encoding, code, body) => {
    expect(body.length).toBeLessThan(1024 * 1024);
    const server = await serve((_, response) => response.writeHead(200, { "content-encoding": encoding }).end(body));
    expect(await failure(call(guard(), server.url))).toMatchObject({ code });
    const stream = guard().stream({ url: server.url, timeoutMs: 10_000 });
    expect(await failure(stream)).toMatchObject({ code: "outbound_failed" });
  });
});

describe("connections", () => {
  const loopback = () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]);

  test("serve only the host that they were checked for, even at a shared address", async () => {
    const server = await serve((request, response) => response.end(request.headers.host));
    const resolve = jest.fn(loopback);
    const guarded = guard({ allow: ["a.example", "b.example"], resolve });
    const at = (host: string) => `http://${host}:${server.port}/`;
    for (const host of ["a.example", "b.example", "a.example"])
      expect(text((await call(guarded, at(host))).body)).toBe(`${host}:${server.port}`);
    expect(resolve.mock.calls).toEqual([["a.example"], ["b.example"]]);
    expect(server.sockets.size).toBe(2);
    expect(await failure(call(guarded, at("c.example")))).toMatchObject({ rule: "loopback" });
    expect(server.sockets.size).toBe(2);
  });

  test("go only to listed ports, also after a redirect", async () => {
    const closed = await serve((_, response) => response.end("secret"));
    const open = await serve((_, response) => response.writeHead(302, { location: closed.url }).end());
    const guarded = guard({ allow: [`127.0.0.1:${open.port}`] });
    const error = await failure(call(guarded, open.url));
    expect(error).toMatchObject({ rule: "loopback", message: expect.stringContaining("the redirect leads") as string });
    expect(closed.sockets.size).toBe(0);
  });

  test("are checked at every redirect", async () => {
    const hops = ["http://two.example", "http://three.example", "http://four.example"];
    const server = await serve((request, response) => {
      const at = hops.findIndex(hop => request.headers.host?.startsWith(hop.slice(7)));
      response.writeHead(302, { location: `${hops[at + 1]}:${server.port}/` }).end();
    });
    const resolve = (host: string) =>
      Promise.resolve([{ address: host === "four.example" ? "127.0.0.2" : "127.0.0.1", family: 4 }]);
    const error = await failure(call(guard({ resolve }), `http://one.example:${server.port}/`));
    expect(error).toMatchObject({ rule: "loopback", message: expect.stringContaining("four.example") as string });
    expect(server.seen.map(request => request.headers.host?.split(".")[0])).toEqual(["one", "two", "three"]);
  });

  test("are checked each time that the name is resolved, before a credential is sent", async () => {
    const server = await serve((_, response) => response.writeHead(200, { connection: "close" }).end("ok"));
    const addresses = ["127.0.0.1", "127.0.0.2"];
    const resolve = () => Promise.resolve([{ address: addresses.shift() ?? "127.0.0.2", family: 4 }]);
    const guarded = guard({ allow: ["127.0.0.1/32"], resolve });
    const sign = ({ url, headers }: SignedHop) => ({ url, headers: { ...headers, authorization: "Bearer secret" } });
    const url = `http://changing.example:${server.port}/`;
    expect(text((await call(guarded, url, { sign })).body)).toBe("ok");
    // The former connection is gone, so the next call asks for the name again.
    await closed(server.sockets);
    expect(await failure(call(guarded, url, { sign }))).toMatchObject({ rule: "loopback" });
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer secret"]);
  });

  test("free their place in the limit after they were rejected or failed", async () => {
    const server = await serve((_, response) => response.end("ok"));
    const guarded = guard({
      maxOrigins: 2,
      resolve: host =>
        host.startsWith("none")
          ? Promise.reject(new Error("no"))
          : Promise.resolve([{ address: "10.0.0.1", family: 4 }]),
    });
    for (let i = 0; i < 5; i++) {
      expect(await failure(call(guarded, `http://private${i}.example/`))).toMatchObject({ rule: "private" });
      expect(await failure(call(guarded, `http://none${i}.example/`))).toMatchObject({ code: "outbound_failed" });
    }
    expect(text((await call(guarded, server.url)).body)).toBe("ok");
  });

  test("free their place in the limit if the name never resolves", async () => {
    const server = await serve((_, response) => response.end("ok"));
    const resolve = () => new Promise<never>(() => undefined);
    const guarded = guard({ maxOrigins: 1, resolve, connectTimeoutMs: 50 });
    expect(await failure(call(guarded, "http://slow.example/"))).toMatchObject({ code: "outbound_timeout" });
    expect(text((await call(guarded, server.url)).body)).toBe("ok");
  });
});
