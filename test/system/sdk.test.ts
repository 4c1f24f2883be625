import { randomBytes } from "node:crypto";
import { type LogEntry, type SignedIn, type StreamEvent, Weft, WeftError } from "../../sdk/index.ts";
import { definition, gives, node } from "../support/definition.ts";
import { type FaultyProxy, faultyProxy } from "../support/faulty-proxy.ts";
import { removeServer, restarted, type Server, startServer } from "../support/server.ts";

const EMAIL = "ada@example.com";
const PASSWORD = "correct horse battery";
const DOUBLES = definition([gives("double", "{{ input * 2 }}")]);
const ASKS = definition([node("ask", "human", { prompt: "Yes?" }), gives("end", "{{ steps.ask.data }}")], "ask > end");

let server: Server;
let proxy: FaultyProxy;
let session: SignedIn;
/** In the default space of a workspace. */
let weft: Weft;

beforeAll(async () => {
  server = await startServer();
  proxy = await faultyProxy(server.url);
  const nobody = new Weft({ url: server.url });
  await nobody.identity.register({ email: EMAIL, password: PASSWORD, name: "Ada" });
  session = await nobody.identity.login({ email: EMAIL, password: PASSWORD });
  const ada = nobody.with({ token: session.accessToken });
  const { id } = await ada.workspaces.create({ name: "Looms" });
  weft = ada.with({ workspaceId: id, spaceId: id });
});
afterAll(async () => {
  await proxy?.close();
  await removeServer(server);
});

const create = async (graph: unknown, name = "A workflow") =>
  (await weft.workflows.create({ name, definition: graph })).id;
const codeOf = async (call: PromiseLike<unknown>) => {
  const error = await Promise.resolve(call).catch((e: unknown) => e);
  if (!(error instanceof WeftError)) throw new Error(`Not refused: ${String(error)}`);
  return error.code;
};

it("runs a workflow and follows it until it ends", async () => {
  const workflowId = await create(DOUBLES);
  const { id } = await weft.executions.start({ workflowId, input: 21 });
  const names: string[] = [];
  const ended = await weft.executions.untilEnd({ id }, { onEntry: ({ event }) => names.push(event) });
  expect(ended).toMatchObject({ status: "completed", output: 42 });
  expect(names).toEqual(["execution.started", "step.started", "step.completed", "execution.completed"]);
  const waited = await weft.executions.start({ workflowId, input: 1, waitMs: 20_000 });
  expect(waited.output).toBe(2);
});

it("starts a run with files once, although its first answer is lost", async () => {
  const bytes = randomBytes(300_000);
  const workflowId = await create(definition([gives("all", "{{ input }}")]));
  const files = {
    photo: new File([bytes], "bell.jpg", { type: "image/jpeg" }),
    pages: [{ file: new Blob(["1"]), name: "1.txt", contentType: "text/plain" }, new Blob(["2"])],
  };
  const lossy = weft.with({ url: proxy.url });
  proxy.loseNextAnswer();
  const run = await lossy.executions.startWithFiles({
    workflowId,
    input: { order: 7 },
    files,
    version: 1,
    waitMs: 20_000,
  });
  const photo = { $file: expect.objectContaining({ name: "bell.jpg", type: "image/jpeg", size: 300_000 }) as object };
  const page = (name: string, type: string) => ({ $file: expect.objectContaining({ name, type, size: 1 }) as object });
  const output = {
    order: 7,
    photo,
    pages: [page("1.txt", "text/plain"), page("pages", "application/octet-stream")],
  };
  expect(run).toMatchObject({ status: "completed", output });
  expect((await weft.executions.list({ workflowId })).items).toHaveLength(1);
  const { id } = (run.output as typeof output & { photo: { $file: { id: string } } }).photo.$file;
  expect(Buffer.from(await (await weft.files.download({ id })).arrayBuffer()).equals(bytes)).toBe(true);
  await expect(
    lossy.executions.startWithFiles({ workflowId, input: 1, files: { version: new Blob([]) }, version: 1 }),
  ).rejects.toThrow("A file cannot be named version");
});

it("reads lists to their end, whatever the size of a page", async () => {
  const ids = await Promise.all(["a", "b", "c"].map(name => create(null, name)));
  const all: string[] = [];
  for await (const { id } of weft.workflows.list({ limit: 2 })) all.push(id);
  expect(all).toEqual(expect.arrayContaining(ids));
  const { items, next } = await weft.workflows.list({ limit: 2 });
  expect([items.length, typeof next]).toEqual([2, "string"]);
});

it("changes a workflow only from the state that was read", async () => {
  const { data, etag } = await weft.workflows.create({ name: "First" }).withResponse();
  const { id } = data;
  expect(etag).toBeDefined();
  expect(await weft.workflows.update({ id, name: "Second", ifMatch: etag! })).toMatchObject({ version: 2 });
  expect(await codeOf(weft.workflows.update({ id, name: "Third", ifMatch: etag! }))).toBe("precondition_failed");
});

it("reports an error with its request id", async () => {
  const error = await weft.workflows.create({ name: "" }).catch((e: unknown) => e);
  expect(error).toMatchObject({
    name: "WeftError",
    status: 400,
    code: "validation_failed",
    errors: [{ path: "/name", message: expect.any(String) }],
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  const named = await weft.workflows
    .get({ id: "none" }, { headers: { "x-request-id": "mine-1" } })
    .catch((e: unknown) => e);
  expect(named).toMatchObject({ code: "not_found", requestId: "mine-1" });
  // @ts-expect-error: the types know what there is to write
  expect(await codeOf(weft.workflows.create({ name: "A", colour: "red" }))).toBe("validation_failed");
});

it("starts a run once, although its first answer is lost", async () => {
  const workflowId = await create(DOUBLES);
  proxy.loseNextAnswer();
  const { data, replayed } = await weft
    .with({ url: proxy.url })
    .executions.start({ workflowId, input: 2 })
    .withResponse();
  expect(replayed).toBe(true);
  const { items } = await weft.executions.list({ workflowId });
  expect(items.map(({ id }) => id)).toEqual([data.id]);
});

it("works by an API key until it is revoked", async () => {
  const { id, key } = await weft.identity.apiKeys.create({ name: "CI", role: "editor" });
  const program = weft.with({ token: key });
  expect((await program.workflows.list({ limit: 1 })).items).toHaveLength(1);
  expect(await codeOf(program.identity.me())).toBe("api_key_not_allowed");
  await weft.identity.apiKeys.remove({ id });
  expect(await codeOf(program.workflows.list())).toBe("unauthenticated");
});

it("receives notifications", async () => {
  const leave = new AbortController();
  const stream = weft.notifications.stream({}, { signal: leave.signal });
  const first = stream.next();
  const workflowId = await create(definition([node("no", "fail", { message: "No." })]));
  let heard = false;
  void first.then(() => (heard = true));
  // Nothing tells when the stream has begun, so it goes on failing until it is heard.
  while (!heard) await weft.executions.untilEnd(await weft.executions.start({ workflowId }));
  expect((await first).value).toMatchObject({ event: "notification.created", data: { type: "execution_failed" } });
  const second = stream.next();
  leave.abort(new Error("enough"));
  await expect(second).rejects.toThrow("enough");
});

it("continues a stream over a lost connection and a restart of the service, without loss or repetition", async () => {
  const { id } = await weft.executions.start({ workflowId: await create(ASKS) });
  const seen: LogEntry[] = [];
  const events = weft.with({ url: proxy.url }).executions.events({ id });
  const read = async (until: string) => {
    for (;;) {
      const { value, done } = (await events.next()) as IteratorResult<StreamEvent<LogEntry>, undefined>;
      if (done) return;
      seen.push(value.data);
      if (value.event === until) return;
    }
  };
  await read("execution.suspended");
  proxy.cut();
  server = await restarted(server);
  const rest = read("");
  await weft.executions.respond({ id, data: "on" });
  await rest;
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
  expect(seen.at(-1)?.event).toBe("execution.completed");
  expect(await weft.executions.get({ id })).toMatchObject({ status: "completed", output: "on" });
});
