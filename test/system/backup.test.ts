import { randomBytes } from "node:crypto";
import { appendFile, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Manifest } from "../../adapters/transfer/manifest.ts";
import { openStore } from "../../adapters/store/open-store.ts";
import { Journal, journalId } from "../../services/executions/store/model.ts";
import { type Api, type Json, newWorkflow, newWorkspace } from "../support/api.ts";
import { startCli } from "../support/cli.ts";
import { definition, node } from "../support/definition.ts";
import { eventually, ledgerCall, read, start, type Started } from "../support/executions.ts";
import { download, upload } from "../support/files.ts";
import { readLog, untilEnd, untilEvent } from "../support/follow.ts";
import { Gate, Ledger } from "../support/ledger.ts";
import { makeDue } from "../support/schedules.ts";
import { COMPILE_CACHE, removeServer, type Server, startServer } from "../support/server.ts";

const MINUTE_MS = 60_000;
const STARTERS = 8;
const BULK = 6_000;
const INSERTED = 1_000;

let root: string;
let ledger: Ledger;
let server: Server;
let api: Api;
let space: string;
let workspaceId: string;
let made: Started;
let file: Json;
const BYTES = randomBytes(300_000);

const startOn = (dataDir: string) => startServer({ dataDir, env: { WORKER_LEASE_MS: "1000" } });
const folder = (name: string) => join(root, name);

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "weft-test-"));
  ledger = await Ledger.open();
  server = await startOn(folder("first"));
  ({ api, space, workspaceId } = await newWorkspace(server.url));
});
afterAll(async () => {
  await removeServer(server);
  await ledger.close();
  await rm(root, { recursive: true, force: true });
});

const startWeft = (...args: string[]) => startCli(args, { ...COMPILE_CACHE, DATA_DIR: server.dataDir });
const weft = (...args: string[]) => startWeft(...args).ended;

async function findsMemory(): Promise<boolean> {
  const { body } = await api.post(`/v1/workspaces/${workspaceId}/memories/search`, { query: "mother Lyon" });
  return (body as Json[]).length > 0;
}
const scheduled = async () => (await read(api, `${space}/executions?trigger=schedule`)) as Json[];

/** Starts runs, several at a time, until it is told to stop; gives those that were acknowledged. */
function load(workflowId: string) {
  const started: Started[] = [];
  let over = false;
  const starters = Array.from({ length: STARTERS }, async () => {
    while (!over) started.push(await start(api, space, workflowId, started.length));
  });
  const stop = async () => {
    over = true;
    await Promise.all(starters);
  };
  return { started, stop };
}

/** Documents of a workspace that does not exist, enough for a migration to be cut off in the middle. */
async function fill(dataDir: string): Promise<void> {
  const store = await openStore({ dataDir, sync: "normal", collections: [Journal] as never });
  const entries = [{ text: "x".repeat(500) }] as never;
  for (let from = 0; from < BULK; from += INSERTED) {
    const ids = Array.from({ length: INSERTED }, (_, n) => `bulk-${from + n}`);
    const doc = (executionId: string) => ({
      id: journalId(executionId, 0),
      workspaceId: "w",
      executionId,
      seq: 0,
      entries,
    });
    await store.acrossTenants(Journal).insertMany(ids.map(doc));
  }
  await store.close();
}

/** What was stored before the backup: an upload, and an output that is too large for the journal. */
async function expectFiles(): Promise<void> {
  const got = await download(api, workspaceId, file.id as string);
  expect(got.bytes.equals(BYTES)).toBe(true);
  expect((await read(api, made.path)).output).toHaveLength(20_000);
}

it("restores an installation elsewhere, and continues its runs", async () => {
  const steps = [ledgerCall(ledger, "one"), node("pause", "delay", { ms: 100 }), ledgerCall(ledger, "two")];
  const workflowId = await newWorkflow(api, space, definition(steps, "one > pause", "pause > two"));
  const asking = await newWorkflow(api, space, definition([node("ask", "human", { prompt: "Go on?" })]));
  const calls = [ledgerCall(ledger, "done"), ledgerCall(ledger, "held")];
  const holding = await newWorkflow(api, space, definition(calls, "done > held"));
  const memories = `/v1/workspaces/${workspaceId}/memories`;
  await api.post(`${memories}/ingest`, { content: "My mother lives in Lyon.", scope: "user" });
  const lastTurn = new Date(Date.now() - 2 * MINUTE_MS);
  const cronExpr = `${lastTurn.getUTCMinutes()} * * * *`;
  const { body: schedule } = await api.post(`${space}/schedules`, { workflowId: asking, cronExpr });
  const large = "{{ [1..20000].{ 'n': $, 'text': 'the same forty characters in every row' } }}";
  const making = await newWorkflow(api, space, definition([node("make", "transform", { value: large })]));
  made = await start(api, space, making);
  expect(await untilEnd(api, made.path)).toMatchObject({ status: "completed" });
  file = (await upload(api, workspaceId, BYTES, { name: "kept.bin" })).body;
  const question = await start(api, space, asking);
  await untilEvent(api, question.path, "execution.suspended");
  const gate = new Gate();
  ledger.behaviour = async ({ path }) => {
    if (path === "/held") await gate.opened;
    return undefined;
  };
  const cut = await start(api, space, holding);
  await ledger.until(() => ledger.count(`${cut.id}:held`) === 1, "it is in the middle of its second step");

  const { started, stop } = load(workflowId);
  await eventually(() => Promise.resolve(started.length >= 40), "runs are on their way");
  const before = [...started];
  const to = folder("backup");
  const backup = await weft("backup", "--to", to, "--json");
  expect(backup).toMatchObject({ code: 0, stderr: "" });
  const manifest = JSON.parse(backup.stdout) as Manifest;
  expect(started.length).toBeGreaterThan(before.length);
  expect(manifest.collections.executions!.count).toBeGreaterThanOrEqual(before.length + 2);
  expect(JSON.parse(await readFile(join(to, "manifest.json"), "utf8"))).toEqual(manifest);
  const names = ["files", "files.list", "jwt-secret", "manifest.json", "secrets-key", "weft.db"];
  expect((await readdir(to)).sort()).toEqual(names);
  for (const entry of await readdir(to, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) expect((await stat(join(entry.parentPath, entry.name))).mode & 0o777).toBe(0o600);

  // While it runs, nothing takes its place, and nothing is copied that it may still change.
  const overRunning = await weft("restore", "--from", to, "--force");
  expect([overRunning.code, overRunning.stderr]).toEqual([1, expect.stringContaining("is in use: a Weft runs on it")]);
  const fromRunning = await weft("migrate", "--to", `file:${folder("none")}`);
  expect([fromRunning.code, fromRunning.stderr]).toEqual([1, expect.stringContaining("is in use: a Weft runs on it")]);
  await stop();
  await server.stop("SIGKILL");
  gate.open();

  // Elsewhere, after more than a day.
  const second = folder("second");
  const restored = await weft("restore", "--from", to, "--data-dir", second);
  expect([restored.code, restored.stdout]).toEqual([0, expect.stringMatching(/^Restored \d+ documents of /)]);
  await makeDue(second, workspaceId, schedule.id as string, new Date(lastTurn.getTime() - 30 * 60 * MINUTE_MS));
  server = await startOn(second);
  api = api.at(server.url);
  for (const { path } of before) expect(await untilEnd(api, path)).toMatchObject({ status: "completed", error: null });
  const log = await readLog(api, before[0]!.path);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, place) => place + 1));
  // A step that had ended is not done again; one that was cut off is, with the same key.
  expect(await untilEnd(api, cut.path)).toMatchObject({ status: "completed" });
  expect([ledger.count(`${cut.id}:done`), ledger.count(`${cut.id}:held`)]).toEqual([1, 2]);
  expect((await api.patch(`${question.path}/approve`)).status).toBe(200);
  expect(await untilEnd(api, question.path)).toMatchObject({ status: "completed" });
  expect(await findsMemory()).toBe(true);
  await expectFiles();
  await eventually(async () => (await scheduled()).length > 0, "the last turn that was missed is made up for");
});

it("moves the data to another store, although the process is killed meanwhile", async () => {
  expect(await scheduled()).toHaveLength(1);
  const [run] = (await read(api, `${space}/executions?status=completed&limit=1`)) as Json[];
  const output = await read(api, `${space}/executions/${run.id}`);
  await server.stop("SIGKILL");
  await fill(server.dataDir);
  const third = folder("third");
  // As a rotation leaves it that was cut off.
  const former = "f".repeat(43);
  await appendFile(join(server.dataDir, "secrets-key"), `\n${former}`);
  const killed = startWeft("migrate", "--to", `file:${third}`);
  await killed.printed("Copying: ");
  killed.process.kill("SIGKILL");
  expect(await killed.ended).toMatchObject({ code: null, stdout: "" });
  const finished = await weft("migrate", "--to", `file:${third}`, "--show");
  expect(finished.code).toBe(0);
  const [said, ...keys] = finished.stdout.trimEnd().split("\n");
  expect(said).toMatch(/^Copied and compared \d{4,} documents: /);
  const key = expect.stringMatching(/^\w+=[\w-]{43}$/) as string;
  expect(keys).toEqual([key, `SECRETS_KEYS_OLD=${former}`, key]);

  server = await startOn(third);
  api = api.at(server.url);
  expect(await read(api, `${space}/executions/${run.id}`)).toEqual(output);
  await expectFiles();
  await eventually(findsMemory, "the search index is there again");
  expect(await scheduled()).toHaveLength(1);
});

it.each([
  [["backup"], "--to is required"],
  [["restore"], "--from is required"],
  [["migrate"], "--to is required, or MONGODB_URI"],
  [["migrate", "--to", "postgres://x"], "--to is an address that begins with mongodb://"],
  [["migrate", "--to", "mongodb://me:secret@example.com/weft"], "Other users can read command lines"],
])("exits with 2 for the invalid arguments %j", async (args, message) => {
  const { code, stderr } = await weft(...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
