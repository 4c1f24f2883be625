import { type Api, type Answer, newWorkspace, register } from "../support/api.ts";
import { addMembers } from "../support/members.ts";
import { pdfWith } from "../support/pdf.ts";
import { type RawConnection, rawConnection } from "../support/raw-http.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { until } from "../support/service-node.ts";
import { Weft } from "../../sdk/index.ts";

const LIMIT = 3 * 1_048_576;
let server: Server;
let api: Api;
let workspaceId: string;
const AT_ONCE = 3;
const env = { MAX_UPLOAD_BYTES: `${LIMIT}`, LIMITS: `knowledge_uploads=${AT_ONCE}` };
const start = (dataDir?: string) => startServer({ ...(dataDir && { dataDir }), env });
beforeAll(async () => {
  server = await start();
  ({ api, workspaceId } = await newWorkspace(server.url));
});
afterAll(() => removeServer(server));

const bases = () => `/v1/workspaces/${workspaceId}/knowledge-bases`;

async function newBase(): Promise<string> {
  const { body } = await api.post(bases(), { name: "Files" });
  return body.id as string;
}

type Headers_ = Record<string, string>;
async function upload(path: string, body: Buffer | string, headers: Headers_, caller = api): Promise<Answer> {
  const given = { authorization: `Bearer ${caller.token}`, ...headers };
  const bytes = new Uint8Array(Buffer.from(body as string));
  const response = await fetch(server.url + path, { method: "POST", headers: given, body: bytes });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text) };
}

/** A request for an upload, of which the body is still to come. */
function begun(path: string, ...lines: string[]): RawConnection {
  const connection = rawConnection(Number(new URL(server.url).port));
  const head = [`POST ${path} HTTP/1.1`, "Host: x", `Authorization: Bearer ${api.token}`, "Content-Type: text/plain"];
  connection.socket.write([...head, ...lines, "", ""].join("\r\n"));
  return connection;
}

async function entriesOf(begun: Answer): Promise<{ content: string; metadata: Record<string, unknown> }[]> {
  expect(begun.status).toBe(201);
  const path = begun.headers.get("location")!;
  await until(async () => (await api.get(path)).body.finishedAt !== null);
  expect((await api.get(path)).body).toMatchObject({ status: "completed", error: null });
  return (await api.get(path.replace(/\/import\/.*/, ""))).body;
}

it.each([
  ["application/pdf", pdfWith("The plan of the harbour"), "The plan of the harbour"],
  ["text/html; charset=iso-8859-1", Buffer.from("<p>T\xe4glich", "latin1"), "Täglich"],
  ["Text/Markdown", Buffer.from("# Überschrift"), "# Überschrift"],
  ['text/plain; charset="utf-16le"', Buffer.from("\ufeffWörter", "utf16le"), "Wörter"],
])("accepts a file as the body: %s", async (type, body, content) => {
  const path = `${bases()}/${await newBase()}/entries/import?name=plan&metadata=${encodeURIComponent('{"lang":"de"}')}`;
  const begun = await upload(path, body, { "content-type": type });
  expect(begun.body).toMatchObject({ name: "plan", status: "pending" });
  const [entry, ...more] = await entriesOf(begun);
  expect(more).toEqual([]);
  expect(entry).toMatchObject({ content, metadata: { source: "plan", lang: "de" } });
});

it("accepts a file of the workspace, which may then be deleted", async () => {
  const files = `/v1/workspaces/${workspaceId}/files`;
  const store = async (name: string, body: Buffer | string) => {
    const stored = await upload(`${files}?name=${name}`, body, { "content-type": "text/plain" });
    return stored.body.id as string;
  };
  const [fileId, large, empty] = [
    await store("kept.txt", "Kept words"),
    await store("large.txt", Buffer.alloc(LIMIT + 1, "a")),
    await store("empty.txt", ""),
  ];
  const path = `${bases()}/${await newBase()}/entries/import`;
  const begun = await api.post(path, { fileId, metadata: { lang: "en" } });
  expect((await api.delete(`${files}/${fileId}`)).status).toBe(204);
  expect(await entriesOf(begun)).toMatchObject([
    { content: "Kept words", metadata: { source: "kept.txt", lang: "en" } },
  ]);
  const statusOf = async (body: object) => (await api.post(path, body)).status;
  expect(await statusOf({ fileId })).toBe(404);
  expect(await statusOf({ fileId: large })).toBe(413);
  expect(await statusOf({ fileId: empty })).toBe(400);
  expect(await statusOf({ fileId: large, name: "a.txt", content: "words" })).toBe(400);
  expect(await statusOf({ content: "words" })).toBe(400);
  const other = await newWorkspace(server.url);
  const theirs = `/v1/workspaces/${other.workspaceId}/knowledge-bases`;
  const { body: base } = await other.api.post(theirs, { name: "Theirs" });
  expect((await other.api.post(`${theirs}/${base.id}/entries/import`, { fileId: large })).status).toBe(404);
});

it("accepts a file at both forms of paths, with its name from Content-Disposition", async () => {
  const path = `/workspaces/${workspaceId}/knowledge/${await newBase()}/entries/import`;
  const named = { "content-disposition": "attachment; filename*=UTF-8''t%C3%A4glich.txt" };
  const begun = await upload(path, "Words", { "content-type": "text/plain", ...named });
  expect(await entriesOf(begun)).toMatchObject([{ content: "Words", metadata: { source: "täglich.txt" } }]);
});

it("accepts a file larger than a JSON body and than any message", async () => {
  const unseen = `<!--${"x".repeat(2_500_000)}-->`;
  const path = `${bases()}/${await newBase()}/entries/import?name=long.html`;
  const begun = await upload(path, `<p>The first${unseen}, and the last`, { "content-type": "text/html" });
  expect(await entriesOf(begun)).toMatchObject([{ content: "The first, and the last" }]);
});

describe("is refused", () => {
  const problem = (status: number, code: string, detail?: string) => ({
    status,
    body: { code, ...(detail && { detail: expect.stringContaining(detail) as string }) },
  });
  const plain = { "content-type": "text/plain" };

  it("if it has another type, is compressed, or has an unknown charset", async () => {
    const path = `${bases()}/${await newBase()}/entries/import?name=a`;
    for (const type of ["image/png", "application/octet-stream", "multipart/form-data; boundary=x"]) {
      const answer = await upload(path, "x", { "content-type": type });
      expect(answer).toMatchObject(problem(415, "unsupported_media_type", "application/pdf"));
    }
    const odd: Headers_[] = [{ "content-encoding": "gzip" }, { "content-type": "text/plain; charset=klingon" }];
    for (const headers of odd) {
      expect(await upload(path, "x", { ...plain, ...headers })).toMatchObject(problem(415, "unsupported_media_type"));
    }
    const other = `${bases()}/${await newBase()}/entries`;
    expect(await upload(other, "x", plain)).toMatchObject(problem(415, "unsupported_media_type"));
  });

  it("if it has no name, invalid metadata, no content, or less content than stated", async () => {
    const path = `${bases()}/${await newBase()}/entries/import`;
    const refused = async (query: string, body: string, field: string) =>
      expect(await upload(path + query, body, plain)).toMatchObject({
        ...problem(400, "validation_failed"),
        body: { errors: [{ path: field }] },
      });
    await refused("", "x", "/name");
    await refused("?name=a&metadata=5", "x", "/metadata");
    await refused("?name=a&metadata={", "x", "/metadata");
    await refused("?name=a&upload=x", "x", "/upload");
    await refused("?name=a", "", "");
    const hidden = await api.post(path, { name: "a.txt", upload: workspaceId });
    expect(hidden.body).toMatchObject({ code: "validation_failed", errors: [{ path: "/upload" }] });
    const query = await api.post(`${path}?name=a`, { name: "a.txt", content: "x" });
    expect(query.body).toMatchObject({ code: "validation_failed", errors: [{ path: "/name" }] });
  });

  it("if it is too large, before it arrives or on its way", async () => {
    const path = `${bases()}/${await newBase()}/entries/import?name=a`;
    const asking = begun(path, `Content-Length: ${LIMIT + 1}`, "Expect: 100-continue");
    expect(await asking.until(/payload_too_large/)).toMatch(/^HTTP\/1\.1 413 /);
    const chunked = begun(path, "Transfer-Encoding: chunked");
    const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
    for (let sent = 0; sent <= LIMIT + 1_000_000; sent += 65_536) chunked.socket.write(chunk);
    expect(await chunked.until(/payload_too_large/)).toMatch(/^HTTP\/1\.1 413 [^]*Connection: close/);
    expect((await api.get(path.replace(/\?.*/, ""))).body).toEqual([]);
  });

  it("before any of it is stored if the caller may not write, and the audit log records it", async () => {
    const path = `${bases()}/${await newBase()}/entries/import?name=a`;
    const [viewer, stranger] = await Promise.all([register(server.url), register(server.url)]);
    await addMembers(server.dataDir, [{ workspaceId, userId: viewer.userId, role: "viewer" }]);
    expect(await upload(path, "x", plain, viewer)).toMatchObject(problem(403, "role_too_low"));
    expect(await upload(path, "x", plain, stranger)).toMatchObject(problem(404, "not_found"));
    expect(await upload(path, "x", plain, api.as("nonsense"))).toMatchObject(problem(401, "unauthenticated"));
    const log = await api.get(`/v1/workspaces/${workspaceId}/audit?limit=5`);
    expect(log.body[0]).toMatchObject({
      action: "knowledge.imports.create",
      outcome: "denied",
      actor: { id: viewer.userId },
    });
  });
});

it("imports the same file once under one Idempotency-Key", async () => {
  const path = `${bases()}/${await newBase()}/entries/import?name=a.txt`;
  const headers = { "content-type": "text/plain", "idempotency-key": "the-same" };
  const first = await upload(path, "Only once", headers);
  const again = await upload(path, "Only once", headers);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  const other = await upload(path, "Twice", headers);
  expect(other).toMatchObject({ status: 409, body: { code: "idempotency_key_reused" } });
  const large = await upload(path, "x".repeat(LIMIT + 1), headers);
  expect(large.body).toMatchObject({ code: "payload_too_large" });
  const others: RawConnection[] = [];
  await until(async () => {
    const other = begun(path, "Content-Length: 9", "Expect: 100-continue");
    // Those before it may still be on their way out.
    if (/^HTTP\/1\.1 100 /.test(await other.until(/\r\n\r\n/))) others.push(other);
    return others.length === AT_ONCE;
  });
  const without = () => upload(path.replace("a.txt", "b.txt"), "Another", { "content-type": "text/plain" });
  expect(await without()).toMatchObject({ status: 409, body: { code: "limit_reached" } });
  const still = await upload(path, "Only once", headers);
  expect([still.status, still.body]).toEqual([201, first.body]);
  expect(await entriesOf(first)).toHaveLength(1);
  for (const { socket } of others) socket.destroy();
  await until(async () => (await without()).status === 201);
});

it("accepts bytes from the SDK", async () => {
  const weft = new Weft({ url: server.url, token: api.token, workspaceId });
  const id = await newBase();
  const begun = await weft.knowledge.imports.upload({
    id,
    name: "plan.pdf",
    file: new Uint8Array(pdfWith("By the SDK")),
    metadata: { lang: "en" },
  });
  expect(begun).toMatchObject({ name: "plan.pdf", contentType: "application/pdf" });
  await until(async () => (await weft.knowledge.imports.get({ id, importId: begun.id })).status === "completed");
  const { items } = await weft.knowledge.entries.list({ id });
  expect(items).toMatchObject([{ content: "By the SDK", metadata: { lang: "en", page: 1 } }]);
});

it("imports a file although the process is killed after the answer", async () => {
  const path = `${bases()}/${await newBase()}/entries/import?name=kept.txt`;
  const begun = await upload(path, "Kept", { "content-type": "text/plain" });
  await server.stop("SIGKILL");
  server = await start(server.dataDir);
  api = api.at(server.url);
  expect(await entriesOf(begun)).toMatchObject([{ content: "Kept" }]);
});
