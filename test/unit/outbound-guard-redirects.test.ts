import { call, closeAll, failure, guard, serve, text } from "../support/outbound.ts";

afterEach(closeAll);

describe("redirects", () => {
  test.each([
    "http://169.254.169.254/latest/meta-data",
    "http://localhost/",
    "http://[::1]/",
    "http://2130706434/",
    "file:///etc/passwd",
    "//10.0.0.1/x",
    "http://u:p@127.0.0.1/",
    "http://internal.example/",
  ])("to %s are rejected", async location => {
    const server = await serve((_, response) => response.writeHead(302, { location }).end());
    const resolve = () => Promise.resolve([{ address: "192.168.0.1", family: 4 }]);
    expect((await failure(call(guard({ resolve }), server.url))).code).toBe("outbound_refused");
    expect(server.seen).toHaveLength(1);
  });

  test.each([
    [301, "POST", "GET "],
    [302, "POST", "GET "],
    [303, "PUT", "GET "],
    [303, "HEAD", ""],
    [302, "PUT", "PUT body"],
    [307, "POST", "POST body"],
    [308, "POST", "POST body"],
  ])("with %i of a %s", async (status, method, expected) => {
    const server = await serve((request, response) => {
      if (request.url === "/") return void response.writeHead(status, { location: "next" }).end();
      const chunks: string[] = [];
      request
        .on("data", chunk => chunks.push(String(chunk)))
        .on("end", () => response.end(`${request.method} ${chunks.join("")}`));
    });
    const body = method === "HEAD" ? undefined : "body";
    const answer = await call(guard(), server.url, { method, body, headers: { "content-type": "text/x" } });
    expect(answer.url).toBe(`${server.url}/next`);
    expect(text(answer.body)).toBe(expected);
    expect(server.seen[1]?.headers["content-type"]).toBe(
      expected.endsWith("body") ? "text/x" : method === "HEAD" ? "text/x" : undefined,
    );
  });

  test("keep credentials at their origin", async () => {
    const second = await serve((_, response) => response.end("there"));
    const first = await serve((request, response) =>
      response.writeHead(307, { location: request.url === "/" ? "/again" : second.url }).end(),
    );
    const headers = { authorization: "a", cookie: "b", "x-api-key": "c", "idempotency-key": "d" };
    expect(text((await call(guard(), first.url, { headers })).body)).toBe("there");
    expect(first.seen[1]?.headers).toMatchObject(headers);
    expect(second.seen[0]?.headers).toMatchObject({ "idempotency-key": "d" });
    for (const name of ["authorization", "cookie", "x-api-key"])
      expect(second.seen[0]?.headers).not.toHaveProperty(name);
  });

  test("are limited, and can be ignored", async () => {
    const server = await serve((_, response) => response.writeHead(302, { location: "/" }).end("x".repeat(1_000)));
    const guarded = guard();
    expect((await failure(call(guarded, server.url))).message).toMatch(/More than 5 redirects/);
    expect(server.seen).toHaveLength(6);
    expect(await call(guarded, server.url, { maxRedirects: 0 })).toMatchObject({
      status: 302,
      headers: { location: "/" },
    });
  });
});
