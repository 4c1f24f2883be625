import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { type Api, newWorkspace, runToEnd } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { download, upload, valueOf } from "../support/files.ts";
import { sharedServer } from "../support/shared.ts";

const BYTES = randomBytes(700_000);
const sha256 = createHash("sha256").update(BYTES).digest("hex");

let api: Api;
let workspaceId: string;
let space: string;
let outside: HttpServer;
let url: string;
const received: { headers: IncomingMessage["headers"]; body: Buffer }[] = [];

beforeAll(async () => {
  const server = await sharedServer();
  ({ api, workspaceId, space } = await newWorkspace(server.url));
  outside = createServer((req, res) => {
    void buffer(req).then(body => {
      received.push({ headers: req.headers, body });
      if (req.url?.startsWith("/moved")) res.writeHead(307, { location: "/take" }).end();
      else if (req.url?.startsWith("/packed")) {
        const headers = { "content-type": "application/zip", "content-encoding": "gzip" };
        res.writeHead(200, headers).end(gzipSync(BYTES));
      } else if (req.url?.startsWith("/broken")) {
        const headers = { "content-type": "application/zip", "content-encoding": "gzip" };
        res.writeHead(200, headers).end(gzipSync(BYTES).subarray(0, 400_000));
      } else if (req.url?.startsWith("/words")) {
        res.writeHead(200, { "content-type": "text/plain" }).end(`${"ä".repeat(150_000)}`);
      } else if (req.url?.startsWith("/picture")) res.writeHead(200, { "content-type": "image/png" }).end(BYTES);
      else res.writeHead(200, { "content-type": "text/plain" }).end('{"plain":1}');
    });
  }).listen(0, "127.0.0.1");
  await once(outside, "listening");
  url = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
});
afterAll(() => {
  outside.close();
  outside.closeAllConnections();
});

const call = (path: string, data: object = {}) => node("call", "http", { url: url + path, ...data });
const run = (steps: object[], input: unknown = null, ...edges: string[]) =>
  runToEnd(api, space, definition(steps, ...edges), input);

test("stores an answer that is not text as a file, which later steps can refer to and send", async () => {
  const send = node("send", "http", {
    url: `${url}/take`,
    method: "POST",
    body: "{{ steps.call.body }}",
    bodyType: "file",
  });
  const name = gives("name", "{{ steps.call.body.`$file`.name }}");
  const ended = await run([call("/picture.png"), send, name], null, "call > send", "send > name");
  expect(ended).toMatchObject({ status: "completed", output: "picture.png" });
  const { headers, body } = received.at(-1)!;
  expect(headers["content-type"]).toBe("image/png");
  expect(body.equals(BYTES)).toBe(true);
});

test("stores a compressed answer decompressed", async () => {
  const { output } = await run([call("/packed.zip")]);
  expect(output.body).toMatchObject({ $file: { name: "packed.zip", sha256 } });
  expect(output.headers).not.toHaveProperty("content-encoding");
  const broken = await run([call("/broken.zip")]);
  expect(broken).toMatchObject({ status: "failed", error: { code: "outbound_failed" } });
});

test("keeps a long text as a text, with the size limit of values", async () => {
  expect((await run([call("/words")])).output.body).toHaveLength(150_000);
  const limited = await run([call("/words", { maxResponseBytes: 100_000 })]);
  expect(limited).toMatchObject({ status: "failed", error: { code: "response_too_large" } });
  const file = await run([call("/picture.png", { maxResponseBytes: 100_000 })]);
  expect(file).toMatchObject({ status: "failed", error: { code: "response_too_large" } });
});

test("sends a file again after a redirect that keeps the body", async () => {
  const { body: file } = await upload(api, workspaceId, new Uint8Array(BYTES), { name: "b", type: "image/png" });
  const step = call("/moved", { method: "POST", bodyType: "file", body: "{{ input }}" });
  expect((await run([step], valueOf(file))).status).toBe("completed");
  const { headers, body } = received.at(-1)!;
  expect(headers["content-length"]).toBe(`${BYTES.length}`);
  expect(body.equals(BYTES)).toBe(true);
});

test("makes the file of a run a file of the workspace", async () => {
  const { output } = await run([call("/picture.png")]);
  expect(output.body).toEqual({
    $file: { id: expect.any(String) as string, name: "picture.png", type: "image/png", size: BYTES.length, sha256 },
  });
  const got = await download(api, workspaceId, output.body.$file.id as string);
  expect(got.bytes.equals(BYTES)).toBe(true);
});

test("reads an answer as the step says", async () => {
  const bodyOf = async (data: object) => (await run([call("/text", data)])).output.body as unknown;
  expect(await bodyOf({})).toBe('{"plain":1}');
  expect(await bodyOf({ response: "text" })).toBe('{"plain":1}');
  expect(await bodyOf({ response: "json" })).toEqual({ plain: 1 });
  expect(await bodyOf({ response: "file" })).toMatchObject({ $file: { name: "text", type: "text/plain", size: 11 } });
  const failed = await run([call("/picture", { response: "text" })]);
  expect(failed).toMatchObject({ status: "failed", error: { code: "not_text" } });
});

test("sends a form with files beside its fields", async () => {
  const { body: file } = await upload(api, workspaceId, "some words", { name: "words é.txt" });
  const form = { title: "A title", tags: ["a", "b"], document: "{{ input }}" };
  const step = call("/take", { method: "POST", bodyType: "multipart", body: form });
  expect((await run([step], valueOf(file))).status).toBe("completed");
  const { headers, body } = received.at(-1)!;
  const fields = await new Response(new Uint8Array(body), {
    headers: { "content-type": headers["content-type"]! },
  }).formData();
  expect(fields.getAll("tags")).toEqual(["a", "b"]);
  const sent = fields.get("document") as File;
  expect([sent.name, sent.type, await sent.text()]).toEqual(["words é.txt", "text/plain", "some words"]);
});

test("does not send a file of another workspace", async () => {
  const other = await newWorkspace(api.url);
  const { body: file } = await upload(other.api, other.workspaceId, "theirs");
  const before = received.length;
  const ended = await run([call("/take", { method: "POST", bodyType: "file", body: "{{ input }}" })], valueOf(file));
  expect(ended).toMatchObject({ status: "failed", error: { code: "invalid_data" } });
  expect(received).toHaveLength(before);
});
