import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { HttpServer } from "../../services/gateway/http/http-server.ts";
import { rawConnection } from "../support/raw-http.ts";

const http = new HttpServer((req, res) => req.on("end", () => res.end("served")).resume());
let port: number;
beforeAll(async () => {
  const { server } = http;
  // The limits themselves would make this test as long as they are.
  expect(server.headersTimeout).toBeLessThanOrEqual(60_000);
  expect(server.requestTimeout).toBeLessThanOrEqual(60_000);
  server.headersTimeout = 100;
  server.requestTimeout = 200;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => http.close(0));

const POST = "POST / HTTP/1.1\r\nHost: x\r\n";
const SLOW = {
  "headers that never end": `${POST}X-Never: `,
  "a body that never ends": `${POST}Content-Length: 1000\r\n\r\nx`,
  "chunks that never end": `${POST}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n`,
};

test("disconnects a client that never finishes its request, while it serves others", async () => {
  const slow = Object.entries(SLOW).map(([name, text]) => {
    const connection = rawConnection(port);
    connection.socket.write(text);
    return { name, ...connection };
  });
  let waiting = slow.length;
  const ended = slow.map(async ({ name, until, socket }) => {
    const answer = await until(/[^\s\S]/);
    waiting--;
    socket.destroy();
    return [name, answer.split("\r\n")[0], /"code":"validation_failed"/.test(answer)];
  });
  while (waiting > 0) {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "all of it" });
    expect(await answer.text()).toBe("served");
    await new Promise(setImmediate);
  }
  expect(await Promise.all(ended)).toEqual(Object.keys(SLOW).map(name => [name, "HTTP/1.1 400 Bad Request", true]));
});

test("closes a connection without a request, and sends nothing that could be taken for a response", async () => {
  const unused = rawConnection(port);
  const used = rawConnection(port);
  used.socket.write(`${POST}Content-Length: 1\r\n\r\nx`);
  await used.until(/served/);
  used.socket.write(`${POST}X-Never: `);
  expect(await unused.until(/[^\s\S]/)).toBe("");
  expect(await used.until(/[^\s\S]/)).toMatch(/served$/);
});
