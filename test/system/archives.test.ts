import { gzipSync } from "node:zlib";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ArchiveRecord } from "../../contracts/entities/archive.ts";
import { type Api, newWorkflow, newWorkspace } from "../support/api.ts";
import { runCli } from "../support/cli.ts";
import { definition, node } from "../support/definition.ts";
import { eventually } from "../support/executions.ts";
import { expectProblem } from "../support/problem.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

const SECRET = "only-in-the-store-8f3a";
const FOREIGN = "01890000-0000-7000-8000-00000000f0f0";

interface Archive {
  head: { format: string; version: number; workspace: { id: string } };
  records: ArchiveRecord[];
  text: string;
}

const read = (text: string): Archive => {
  const lines = text
    .trimEnd()
    .split("\n")
    .map(line => JSON.parse(line) as unknown);
  const end = lines.pop();
  const [head, ...records] = lines as [Archive["head"], ...ArchiveRecord[]];
  expect(end).toEqual({ kind: "end", records: records.length, leftOut: expect.arrayContaining(["runs", "files"]) });
  return { head, records, text };
};

async function exported(api: Api, workspaceId: string): Promise<Archive> {
  const response = await fetch(`${api.url}/v1/workspaces/${workspaceId}/export`, {
    headers: { authorization: `Bearer ${api.token}` },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/x-ndjson");
  return read(await response.text());
}

const marked = ({ head: { format, version, workspace } }: Archive) => ({ format, version, workspaceId: workspace.id });
const importInto = (api: Api, workspaceId: string, archive: Archive, records: unknown[] = archive.records) =>
  api.post(`/v1/workspaces/${workspaceId}/import`, { archive: marked(archive), records });
const made = async (api: Api, path: string, body: unknown): Promise<string> => {
  const answer = await api.post(path, body);
  expect(answer.status).toBe(201);
  return answer.body.id as string;
};

/** What a record says, with `#n` in place of the n-th id that the archive names. */
function shapes({ head, records }: Archive): unknown[] {
  // The default space of a workspace is there already, at a place in the list that depends on its age.
  const own = head.workspace.id;
  const known = new Map([[own, "#workspace"]]);
  const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  const named = (id: string) => known.get(id) ?? known.set(id, `#${known.size}`).get(id)!;
  return (
    records
      .filter(record => record.kind !== "member" && record.kind !== "credential")
      .filter(record => record.kind !== "space" || record.id !== own)
      // An API without the credentials that the workspace lacks.
      .map(record => (record.kind === "api" ? { ...record, credentials: {} } : record))
      .map(record => JSON.parse(JSON.stringify(record).replace(ID, named)) as unknown)
  );
}

let server: Server;
let source: Awaited<ReturnType<typeof newWorkspace>>;
let archive: Archive;
let callee: string;

/** A workspace with something of everything that an archive has. */
async function fill({ api, workspaceId, space }: typeof source): Promise<void> {
  const base = `/v1/workspaces/${workspaceId}`;
  const podId = await made(api, `${base}/pods`, { name: "Sales" });
  const spaceId = await made(api, `${base}/spaces`, { name: "Leads", podId });
  await api.patch(`${base}/variables`, { set: { HOST: "a.example" } });
  await api.patch(`${base}/spaces/${spaceId}/variables`, { set: { HOST: "b.example" } });
  const data = { token: SECRET };
  const credential = await made(api, `${base}/credentials`, {
    name: "CRM",
    type: "bearer",
    hosts: ["a.example"],
    data,
  });
  const document = {
    ...{ openapi: "3.1.0", info: { title: "Shop", version: "1" }, servers: [{ url: "https://a.example" }] },
    paths: { "/orders": { get: { operationId: "listOrders", summary: "List orders", security: [{ key: [] }] } } },
  };
  const shop = await made(api, `${base}/apis`, { name: "Shop", document, credentials: { key: credential } });
  expect((await api.post(`${base}/apis/${shop}/sync`)).body).toMatchObject({ operationsSynced: 1 });
  const [orders] = (await api.get(`${base}/apis/${shop}/operations`)).body as { id: string }[];
  const baseId = await made(api, `${base}/knowledge-bases`, { name: "Handbook", description: "What we know" });
  await made(api, `${base}/knowledge-bases/${baseId}/entries`, {
    content: "Refunds take five days",
    metadata: { n: 1 },
  });
  callee = await newWorkflow(api, space, definition([node("end", "transform", { value: 1 })]));
  const calling = (text: string) => ({
    ...definition([
      node("sub", "subworkflow", { workflowId: callee }),
      node("find", "retriever", { knowledgeBaseId: baseId, query: text }),
      node("orders", "api", { toolId: orders!.id }),
      node("call", "http", { url: "https://a.example", credential, body: { foreign: FOREIGN } }),
    ]),
    settings: { errorWorkflowId: callee },
  });
  const leads = `${base}/spaces/${spaceId}`;
  const workflowId = await newWorkflow(api, leads, calling("first"));
  expect((await api.post(`${leads}/workflows/${workflowId}/deploy`, { force: true })).status).toBe(200);
  const changed = { definition: calling("second"), message: "Ask better" };
  expect((await api.patch(`${leads}/workflows/${workflowId}`, changed)).status).toBe(200);
  const binned = await newWorkflow(api, space, definition([node("old", "transform", { value: 1 })]));
  expect((await api.delete(`${space}/workflows/${binned}/trash`)).status).toBeGreaterThan(0);
  await made(api, `${leads}/schedules`, { workflowId, cronExpr: "*/5 * * * *", input: { n: 1 } });
  await made(api, `${leads}/webhooks`, { workflowId, auth: { type: "header", secret: SECRET } });
  await api.post(`${base}/memories/ingest`, { content: "I live in Paris.", userId: "customer 7" });
  await api.post(`${base}/memories/ingest`, { content: "I live in Rome now.", userId: "customer 7" });
}

beforeAll(async () => {
  server = await sharedServer();
  source = await newWorkspace(server.url);
  await fill(source);
  archive = await exported(source.api, source.workspaceId);
});

it("exports a workspace without its secrets", async () => {
  const kinds = new Set(archive.records.map(({ kind }) => kind));
  const expected = ["pod", "space", "variables", "credential", "member", "api", "knowledgeBase", "knowledgeEntry"];
  for (const kind of [...expected, "workflowVersion", "workflow", "schedule", "webhook", "memory"]) {
    expect([...kinds]).toContain(kind);
  }
  expect(archive.text).not.toContain(SECRET);
  expect(archive.text).not.toMatch(/secretHash|passwordHash|"hash"/);
  const { body } = await source.api.get(`/v1/workspaces/${source.workspaceId}/audit?action=workspaces.export`);
  expect(body).toMatchObject([
    { action: "workspaces.export", outcome: "succeeded", actor: { userId: source.api.userId } },
  ]);
});

it("imports an archive into another workspace once, with new ids", async () => {
  const target = await newWorkspace(server.url);
  const first = await importInto(target.api, target.workspaceId, archive);
  expect(first.status).toBe(200);
  expect(first.body.credentials).toEqual([{ name: "CRM", type: "bearer" }]);
  const again = await importInto(target.api, target.workspaceId, archive);
  // Variables are set again.
  expect(again.body).toMatchObject({ made: 2 });
  const copy = await exported(target.api, target.workspaceId);
  expect(shapes(copy)).toEqual(shapes(archive));
  for (const id of [source.workspaceId, callee]) expect(copy.text).not.toContain(id);
  expect(copy.text).toContain(FOREIGN);

  const base = `/v1/workspaces/${target.workspaceId}`;
  const schedules = (await target.api.get(`${base}/schedules`)).body as { enabled: boolean; workflowId: string }[];
  expect(schedules).toMatchObject([{ enabled: false, nextRunAt: null }]);
  expect((await target.api.get(`${base}/webhooks`)).body).toMatchObject([{ enabled: false }]);
  const memories = await target.api.get(`${base}/memories?userId=customer%207`);
  expect(memories.body).toMatchObject([{ content: expect.stringContaining("Rome") as string }]);
  const history = await target.api.get(`${base}/memories/${memories.body[0].id as string}/history`);
  expect(history.body).toMatchObject([{ event: "created", actorId: target.api.userId }]);
  const [found] = (await target.api.get(`${base}/knowledge-bases`)).body as { id: string; entryCount: number }[];
  expect(found).toMatchObject({ entryCount: 1 });
  const matches = await target.api.post(`${base}/knowledge-bases/${found!.id}/search`, { query: "refunds" });
  expect(matches.body).toMatchObject([{ content: "Refunds take five days" }]);
  const { body: log } = await target.api.get(`${base}/audit?action=workspaces.import`);
  expect(log).toMatchObject([{ outcome: "succeeded" }, { outcome: "succeeded" }]);
});

it("imports an API with its document and with the credential of the same name", async () => {
  const target = await newWorkspace(server.url);
  const base = `/v1/workspaces/${target.workspaceId}`;
  const data = { token: `${SECRET}-other` };
  const given = { name: "CRM", type: "bearer", hosts: ["a.example"], data };
  const credential = await made(target.api, `${base}/credentials`, given);
  expect((await importInto(target.api, target.workspaceId, archive)).body.credentials).toEqual([]);
  const [shop] = (await target.api.get(`${base}/apis`)).body as { id: string }[];
  expect((await target.api.post(`${base}/apis/${shop!.id}/sync`)).body).toMatchObject({ operationsSynced: 1 });
  const { body } = await target.api.get(`${base}/apis/${shop!.id}`);
  expect(body).toMatchObject({ url: null, title: "Shop", credentials: { key: credential } });
  const [orders] = (await target.api.get(`${base}/apis/${shop!.id}/operations`)).body as { id: string }[];
  const copy = await exported(target.api, target.workspaceId);
  const named = copy.records.filter(one => one.kind === "workflowVersion" && one.tools?.length);
  expect(named).toMatchObject([{ tools: [{ id: orders!.id }] }, { tools: [{ id: orders!.id }] }]);
  // What is larger when it is unpacked than a document may be is refused.
  const record = archive.records.find(({ kind }) => kind === "api")!;
  for (const document of [gzipSync(Buffer.alloc(6 * 1_048_576)).toString("base64"), "AAAA"]) {
    const bad = { ...record, id: FOREIGN, document };
    expectProblem(await importInto(target.api, target.workspaceId, archive, [bad]), 400, "validation_failed");
  }
});

it("does not resolve ids of another tenant in an archive", async () => {
  const before = shapes(archive);
  const target = await newWorkspace(server.url);
  const hostile: Archive = { ...archive, head: { ...archive.head, workspace: { id: FOREIGN } } };
  const { workspaceId } = source;
  const version = archive.records.find(({ kind }) => kind === "workflowVersion")!;
  // The space of the victim is not a space here, also under its own id.
  const refused = await importInto(target.api, target.workspaceId, hostile, [version]);
  expectProblem(refused, 400, "validation_failed");
  expect(refused.body.errors).toMatchObject([{ path: "/records/0" }]);
  const entry = archive.records.find(({ kind }) => kind === "knowledgeEntry")!;
  expectProblem(await importInto(target.api, target.workspaceId, hostile, [entry]), 400, "validation_failed");
  // Only a space may have the id of the workspace, and the default space stays what it is.
  const pod = { kind: "pod", id: FOREIGN, name: "Taken", description: "" };
  const space = { kind: "space", id: FOREIGN, name: "Taken", podId: null };
  expect((await importInto(target.api, target.workspaceId, hostile, [pod, space])).body).toMatchObject({ made: 1 });
  const own = await target.api.get(`/v1/workspaces/${target.workspaceId}/spaces/${target.workspaceId}`);
  expect(own.body).toMatchObject({ name: "Default", default: true });
  const place = { ...version, spaceId: FOREIGN };
  const taken = await importInto(target.api, target.workspaceId, hostile, [place]);
  expect(taken).toMatchObject({ status: 200, body: { made: 1 } });
  expectProblem(await importInto(target.api, workspaceId, hostile, [place]), 404, "not_found");
  expectProblem(await target.api.get(`/v1/workspaces/${workspaceId}/export`), 404, "not_found");
  expect(shapes(await exported(source.api, workspaceId))).toEqual(before);
});

it("rejects a file that is not an archive of this version", async () => {
  const { api, workspaceId } = await newWorkspace(server.url);
  const path = `/v1/workspaces/${workspaceId}/import`;
  const pod = { kind: "pod", id: FOREIGN, name: "Pod", description: "" };
  const body = { archive: marked(archive), records: [pod] };
  const refusedBy = async (changed: object) => api.post(path, { ...body, ...changed });
  expectProblem(await refusedBy({ archive: { ...body.archive, version: 2 } }), 400, "validation_failed");
  expectProblem(await refusedBy({ records: [{ ...pod, kind: "user" }] }), 400, "validation_failed");
  expectProblem(await refusedBy({ records: [{ ...pod, id: "../../etc" }] }), 400, "validation_failed");
  expectProblem(await refusedBy({ records: Array.from({ length: 201 }, () => pod) }), 400, "validation_failed");
  const deep = "[".repeat(200) + "]".repeat(200);
  const values = `{"kind":"variables","spaceId":null,"values":{"A":${deep}}}`;
  const text = JSON.stringify(body).replace(JSON.stringify(pod), values);
  expectProblem(await api.post(path, text), 400, "json_too_deep");
  expectProblem(
    await refusedBy({ records: [{ ...pod, description: "x".repeat(2_000_000) }] }),
    413,
    "payload_too_large",
  );
  expect((await api.get(`/v1/workspaces/${workspaceId}/pods`)).body).toEqual([]);
});

it("exports and imports by command, and rejects a truncated archive before it creates anything", async () => {
  const folder = await mkdtemp(join(tmpdir(), "weft-archive-"));
  try {
    const target = await newWorkspace(server.url);
    const key = async ({ api, workspaceId }: typeof source) =>
      (await api.post(`/v1/workspaces/${workspaceId}/api-keys`, { name: "cli", role: "admin" })).body.key as string;
    const weft = async (at: typeof source, ...args: string[]) =>
      runCli(args, { WEFT_URL: server.url, WEFT_API_KEY: await key(at), WEFT_WORKSPACE: at.workspaceId });
    const file = join(folder, "source.jsonl");
    const written = await weft(source, "export-workspace", "-o", file);
    expect(written).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("Not in the archive: runs, files,") as string,
    });
    const whole = await readFile(file, "utf8");
    await writeFile(join(folder, "half.jsonl"), whole.slice(0, whole.length / 2));
    const half = await weft(target, "import-workspace", join(folder, "half.jsonl"), "--into", target.workspaceId);
    expect(half).toMatchObject({ code: 1, stderr: expect.stringContaining("cut off") as string });
    expect((await target.api.get(`/v1/workspaces/${target.workspaceId}/pods`)).body).toEqual([]);
    const done = await weft(target, "import-workspace", file, "--into", target.workspaceId);
    expect(done).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/"CRM"[^]*Not in the archive: runs, files,/) as string,
    });
    expect(shapes(await exported(target.api, target.workspaceId))).toEqual(shapes(archive));
  } finally {
    await rm(folder, { recursive: true });
  }
});

it("continues an import after a kill, and creates nothing twice", async () => {
  const [ENTRIES, LATER] = [40, 5];
  let own = await startServer();
  try {
    const target = await newWorkspace(own.url);
    const entry = archive.records.find(one => one.kind === "knowledgeEntry")!;
    const more = Array.from({ length: ENTRIES }, (_, n) => ({
      ...entry,
      id: `01890000-0000-7000-8000-${n.toString().padStart(12, "0")}`,
    }));
    const at = archive.records.indexOf(entry);
    const records = [...archive.records.slice(0, at), ...more, ...archive.records.slice(at)];
    const path = `/v1/workspaces/${target.workspaceId}`;
    // The kill meets the first request, or comes between both.
    const first = importInto(target.api, target.workspaceId, archive, records.slice(0, -LATER)).catch(() => null);
    const counted = async () =>
      ((await target.api.get(`${path}/knowledge-bases`)).body as { entryCount: number }[])[0]?.entryCount ?? 0;
    await eventually(async () => (await counted()) > 0, "an entry is imported");
    await own.stop("SIGKILL");
    await first;

    own = await startServer({ dataDir: own.dataDir });
    const api = target.api.at(own.url);
    const again = await eventuallyImported(() => importInto(api, target.workspaceId, archive, records));
    expect(again.existing).toBeGreaterThan(0);
    expect(again.made).toBeGreaterThanOrEqual(LATER);
    const copy = await exported(api, target.workspaceId);
    const kinds = (all: readonly ArchiveRecord[]) =>
      all
        .map(({ kind }) => kind)
        .filter(kind => kind !== "member" && kind !== "credential")
        .sort();
    expect(kinds(copy.records)).toEqual(kinds(records));
  } finally {
    await removeServer(own);
  }
});

async function eventuallyImported(attempt: () => ReturnType<Api["post"]>) {
  let body: { made: number; existing: number } | undefined;
  await eventually(async () => {
    const answer = await attempt();
    body = answer.body as typeof body;
    return answer.status === 200;
  }, "the import goes on");
  return body!;
}
