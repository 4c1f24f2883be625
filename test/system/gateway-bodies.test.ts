import { MAX_DEPTH } from "../../services/gateway/request/json.ts";
import { GATEWAY_CONFIG, ID, SPACE_PATH, startGateway, type TestGateway, TOKEN } from "../support/gateway.ts";
import { rawConnection } from "../support/raw-http.ts";

const PATH = `${SPACE_PATH}/executions`;
const LIMIT = GATEWAY_CONFIG.MAX_BODY_BYTES;
const inputs: unknown[] = [];

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({
    "executions.start": ({ input }) => {
      inputs.push(input);
      return { id: ID } as never;
    },
    "identity.updateMe": () => ({ id: ID }) as never,
  });
});
afterAll(() => gateway.broker.stop());
beforeEach(() => void inputs.splice(0));

const send = (body: string | undefined, headers: Record<string, string> = {}) =>
  gateway.ask("POST", PATH, { body, headers });
const withInput = (input: string) => `{"workflowId":"${ID}","input":${input}}`;
const head = (...headers: string[]) =>
  [`POST ${PATH} HTTP/1.1`, "Host: x", `Authorization: Bearer ${TOKEN}`, ...headers, "", ""].join("\r\n");

describe("the type of a body", () => {
  it.each([
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/json; v=1",
  ])("is accepted as JSON: %s", async type =>
    expect(await send(withInput("1"), { "content-type": type })).toMatchObject({ status: 201 }),
  );

  it.each([
    "text/plain",
    "application/jsonx",
    "application/x-www-form-urlencoded",
    "application/json; charset=latin1",
    "application/json; v=1; charset=utf-16",
    "*/*",
  ])("is rejected: %s", async type => {
    const answer = await send(withInput("1"), { "content-type": type });
    expect(answer).toMatchObject({ status: 415, body: { code: "unsupported_media_type" } });
    expect(inputs).toEqual([]);
  });

  it("is parsed as a form if it is one", async () => {
    const answer = await send(withInput("1"), { "content-type": "multipart/form-data; boundary=x" });
    expect(answer).toMatchObject({ status: 400, body: { code: "validation_failed" } });
    expect(inputs).toEqual([]);
  });

  it("is ignored without a body", async () => {
    const answer = await gateway.ask("PATCH", "/v1/auth/me", { headers: { "content-type": "text/plain" } });
    expect(answer.status).toBe(200);
    const { socket, until } = rawConnection(gateway.port);
    socket.write(
      head("Content-Type: text/plain", "Transfer-Encoding: chunked").replace(`POST ${PATH}`, "PATCH /v1/auth/me"),
    );
    socket.write("0\r\n\r\n");
    expect(await until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  it("is required for a body, and compressed bodies are rejected", async () => {
    const { socket, until } = rawConnection(gateway.port);
    socket.write(`${head("Content-Length: 2")}{}`);
    expect(await until(/unsupported_media_type/)).toMatch(/^HTTP\/1\.1 415 /);
    socket.destroy();
    expect(await send(withInput("1"), { "content-encoding": "gzip" })).toMatchObject({ status: 415 });
  });
});

describe("a body", () => {
  it.each(["{", "nonsense", '{"a":1,}', "{'a':1}", "NaN"])("that is not JSON is malformed: %s", async body => {
    expect(await send(body)).toMatchObject({ status: 400, body: { code: "malformed_json" } });
  });

  it("is any JSON if the route accepts any", async () => {
    for (const text of ["null", "0", '"ü😀\\u0000"', "[[],{}]", '{"constructor":1,"":{"a b":false}}']) {
      expect(await send(withInput(text))).toMatchObject({ status: 201 });
    }
    expect(inputs).toEqual([null, 0, "ü😀\u0000", [[], {}], { constructor: 1, "": { "a b": false } }]);
  });

  it("is rejected if it is nested too deeply, and the gateway stays alive", async () => {
    expect(await send(withInput("[".repeat(MAX_DEPTH - 1) + "]".repeat(MAX_DEPTH - 1)))).toMatchObject({ status: 201 });
    for (const depth of [MAX_DEPTH, 4_000]) {
      const deep = withInput("[".repeat(depth) + "]".repeat(depth));
      expect(await send(deep)).toMatchObject({ status: 400, body: { code: "json_too_deep" } });
    }
    expect(await send(withInput("1"))).toMatchObject({ status: 201 });
  });

  it("is accepted at the size limit, and rejected one byte above", async () => {
    const empty = withInput('""').length;
    expect(await send(withInput(`"${"x".repeat(LIMIT - empty)}"`))).toMatchObject({ status: 201 });
    const answer = await send(withInput(`"${"x".repeat(LIMIT - empty + 1)}"`));
    expect(answer).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
  });

  it("is rejected before it has arrived if it is far too large, and the connection closes", async () => {
    const { socket, until } = rawConnection(gateway.port);
    socket.write(head("Content-Type: application/json", "Content-Length: 1000000000"));
    expect(await until(/payload_too_large/)).toMatch(/^HTTP\/1\.1 413 [^]*Connection: close/);
    await until(/never/);
  });

  it("is counted as it arrives if it has no length", async () => {
    const { socket, until, text } = rawConnection(gateway.port);
    socket.write(head("Content-Type: application/json", "Transfer-Encoding: chunked"));
    const chunk = `${(4_096).toString(16)}\r\n${" ".repeat(4_096)}\r\n`;
    socket.write(chunk);
    expect(text()).toBe("");
    for (let sent = 0; sent < 3 * LIMIT; sent += 4_096) socket.write(chunk);
    expect(await until(/payload_too_large/)).toMatch(/^HTTP\/1\.1 413 [^]*Connection: close/);
    await until(/never/);
  });

  it("with Expect: 100-continue is requested, or rejected before it is sent", async () => {
    const asked = rawConnection(gateway.port);
    const body = withInput("1");
    asked.socket.write(
      head("Content-Type: application/json", `Content-Length: ${body.length}`, "Expect: 100-continue"),
    );
    expect(await asked.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 100 Continue/);
    asked.socket.write(body);
    expect(await asked.until(/HTTP\/1\.1 2/)).toContain("HTTP/1.1 201 Created");
    asked.socket.destroy();
    const refused = rawConnection(gateway.port);
    refused.socket.write(head("Content-Type: application/json", "Content-Length: 20000", "Expect: 100-continue"));
    expect(await refused.until(/payload_too_large/)).toMatch(/^HTTP\/1\.1 413 /);
    await refused.until(/never/);
  });

  it("does not affect other requests if its sender leaves before its end", async () => {
    const { socket } = rawConnection(gateway.port);
    socket.write(`${head("Content-Type: application/json", "Content-Length: 100")}{"workflowId`, () =>
      socket.destroy(),
    );
    await new Promise(resolve => socket.once("close", resolve));
    expect(await send(withInput("1"))).toMatchObject({ status: 201 });
    expect(inputs).toEqual([1]);
  });

  it("is skipped if the route does not read it, and the connection stays open", async () => {
    const { socket, until } = rawConnection(gateway.port);
    socket.write("GET /health/live HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
    socket.write("GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(await until(/not_found/)).toMatch(/^HTTP\/1\.1 200 [^]*HTTP\/1\.1 404 /);
    socket.destroy();
  });
});

describe("what is not HTTP", () => {
  it.each([
    ["garbage", "GARBAGE\r\n\r\n", "not valid HTTP"],
    [
      "headers that are too large",
      `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${"x".repeat(20_000)}\r\n\r\n`,
      "16384 bytes",
    ],
    ["a length and chunks", head("Content-Length: 3", "Transfer-Encoding: chunked"), "not valid HTTP"],
    ["no host", "GET / HTTP/1.1\r\n\r\n", ""],
  ])("gets a plain answer: %s", async (_, request, detail) => {
    const { socket, until } = rawConnection(gateway.port);
    socket.write(request);
    const answer = await until(/never/);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain(detail);
    if (detail) expect(answer).toMatch(/Content-Type: application\/problem\+json[^]*"code":"validation_failed"/);
  });
});
