import { Validator } from "@cfworker/json-schema";
import type { NodeExample } from "../../contracts/entities/node-type.ts";
import { describeNodeTypes } from "../../core/graph/catalogue/describe.ts";
import { EXAMPLE_ID, EXAMPLE_URL } from "../../core/graph/catalogue/words.ts";
import { type AgentStage, closeAgentStage, openAgentStage } from "../support/agents.ts";
import { Api, type Json, newWorkflow } from "../support/api.ts";
import { type Database, hasPostgres, startPostgres } from "../support/databases.ts";
import { definition, gives, node } from "../support/definition.ts";
import { callTools } from "../support/fake-models.ts";
import { eventually } from "../support/executions.ts";
import { readLog, untilEnd, untilEvent } from "../support/follow.ts";
import { uploadTo } from "../support/files.ts";
import { MailSink } from "../support/mail-sink.ts";
import { S3_ACCESS, type S3Server, startS3Server } from "../support/s3-server.ts";
import { StandIns } from "../support/stand-ins.ts";

const { types } = describeNodeTypes();
const hasServers = hasPostgres || process.env.CI !== undefined;
/** Steps that query a database need one: see databases.ts. */
const EXAMPLES = types
  .filter(({ type }) => type !== "sql" || hasServers)
  .flatMap(({ type, examples }) => examples.map(one => [type, one.title, one] as const));

let stage: AgentStage;
let standIns: StandIns;
let s3: S3Server;
let mails: MailSink;
let database: Database | undefined;
/** What ids and addresses in examples become. */
let stands: [name: string, real: string][];

const created = async (path: string, body: object): Promise<string> => {
  const answer = await stage.api.post(`${stage.workspace}/${path}`, body);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body.id as string;
};

/** The id of an operation that reads an order. */
async function newOperation(url: string): Promise<string> {
  const parameters = [
    { name: "order", in: "path", required: true },
    { name: "fields", in: "query" },
  ];
  const paths = { "/orders/{order}": { get: { operationId: "order", parameters } } };
  const document = { openapi: "3.1.0", info: { title: "Shop", version: "1" }, servers: [{ url }], paths };
  const id = await created("apis", { name: "Shop", document });
  const operations = async () => (await stage.api.get(`${stage.workspace}/apis/${id}/operations`)).body as Json[];
  await eventually(async () => (await operations()).length > 0, "the operation is known");
  return (await operations())[0]!.id as string;
}

beforeAll(async () => {
  standIns = await new StandIns().open();
  [s3, mails] = await Promise.all([startS3Server(), new MailSink().start()]);
  stage = await openAgentStage([
    {
      name: "stock",
      description: "Says how many of a part are left.",
      inputSchema: { type: "object", properties: { part: { type: "string" } } },
      run: ({ part }) => ({ content: [{ type: "text", text: `${String(part)}: 3 left` }] }),
    },
  ]);
  stage.scripts.set("How many bells are left?", turn =>
    turn === 1 ? callTools(["stock", { part: "bell" }]) : "There are 3 left.",
  );
  stage.scripts.set("Summarise: The bell of order 7 is broken.", () => "A broken bell.");
  stage.scripts.set("Which amount is meant? Forty, please.", () => '{"amount":40}');
  const pages = { "/pages/1": { items: ["a", "b"], next: "2" }, "/pages/2": { items: ["c"] } };
  const { url } = standIns.add(({ method, path, query, body }) => {
    const page = pages[path as keyof typeof pages];
    return {
      body: page ?? { method, path, query: Object.fromEntries(query), body: body === "" ? null : body },
    };
  });
  const baseId = await created("knowledge-bases", { name: "Handbook" });
  const entry = { content: "The gate opens at seven", metadata: { page: 7 } };
  await created(`knowledge-bases/${baseId}/entries`, entry);
  await created("memories", { content: "Rides a red bicycle", userId: "customer-7" });
  const mail = { host: "127.0.0.1", port: mails.port, security: "off", username: "weft", password: "s3cret" };
  const sender = { from: "shop@shop.example.com" };
  if (hasServers) await openDatabase();
  const customers = await uploadTo(
    stage.api,
    `${stage.workspace}/files`,
    "name,city,orders\nAda,London,7\nGrace,New York,12\n",
    {
      name: "customers.csv",
      type: "text/csv",
    },
  );
  const storage = { endpoint: s3.endpoint, ...S3_ACCESS };
  stands = [
    [EXAMPLE_ID.mail, await created("credentials", { name: "Mail", type: "smtp", data: { ...mail, ...sender } })],
    ...(database
      ? [
          [
            EXAMPLE_ID.database,
            await created("credentials", { name: "DB", type: "postgres", data: database.access }),
          ] as [string, string],
        ]
      : []),
    [EXAMPLE_ID.file, customers.body.id as string],
    [EXAMPLE_ID.storage, await created("credentials", { name: "Storage", type: "s3", data: storage })],
    [EXAMPLE_URL, url],
    [EXAMPLE_ID.tool, stage.tools.stock!],
    [EXAMPLE_ID.operation, await newOperation(url)],
    [EXAMPLE_ID.knowledgeBase, baseId],
    [EXAMPLE_ID.workflow, await newWorkflow(stage.api, stage.space, definition([gives("ship", "{{ input }}")]))],
  ];
});
afterAll(() => Promise.all([closeAgentStage(stage), standIns.close(), s3.close(), mails.stop(), database?.remove()]));

async function openDatabase(): Promise<void> {
  database = await startPostgres();
  await database.ask("CREATE TABLE orders (number int, total numeric(10, 2), customer text, open bool)");
  await database.ask("INSERT INTO orders VALUES (7, 40.5, 'ada@example.com', true), (8, 1, 'ada@example.com', false)");
  await database.ask("CREATE TABLE accounts (id int, amount int)");
  await database.ask("INSERT INTO accounts VALUES (1, 10), (2, 0)");
}

const madeReal = (data: unknown): object =>
  JSON.parse(stands.reduce((text, [name, real]) => text.replaceAll(name, real), JSON.stringify(data))) as object;

/** A definition in which the step of an example can run. */
function around(type: string, { data }: NodeExample): object {
  const step = node("step", type, madeReal(data));
  if (type === "merge") return definition([gives("before", "{{ input }}"), step], "before > step");
  const inside = { ...gives("inside", "{{ item }}"), parentId: "step" };
  return definition(type === "map" ? [step, inside] : [step]);
}

async function run(type: string, example: NodeExample): Promise<Json> {
  const { api, space } = stage;
  const workflowId = await newWorkflow(api, space, around(type, example));
  const { body } = await api.post(`${space}/executions`, { workflowId, input: example.input ?? null });
  const path = `${space}/executions/${body.id}`;
  if (type === "human") {
    await untilEvent(api, path, "execution.suspended");
    await api.patch(`${path}/respond`, { data: (example.sample as Json).data });
  }
  if (type === "wait") {
    const { event: name, key } = example.data as { event: string; key: string };
    const signal = { name, ...(key && { key: (example.input as Json).order }), data: (example.sample as Json).data };
    await api.post(`${stage.workspace}/signals`, signal);
  }
  const ended = await untilEnd(api, path);
  const log = await readLog(api, path);
  const done = log.find(({ event, nodeId, path: items = [] }) => {
    return event === "step.completed" && nodeId === "step" && items.length === 0;
  });
  return { ...ended, stepOutput: done?.output };
}

const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** Fields whose values differ from run to run. */
const CHANGING = new Set(["headers", "usage", "score", "extraction", "embeddingStatus", "messageId"]);

/** A value without what differs from run to run. */
function lasting(value: unknown): unknown {
  if (typeof value === "string") return ID.test(value) ? "an id" : TIME.test(value) ? "a time" : value;
  if (Array.isArray(value)) return value.map(lasting);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).map(([key, part]) => [key, CHANGING.has(key) ? "changes" : lasting(part)]);
  return Object.fromEntries(kept) as object;
}

describe("the examples of node types run, and give the documented outputs", () => {
  it.each(EXAMPLES)("%s: %s", async (type, _title, example) => {
    const { status, error, stepOutput } = await run(type, example);
    if (type === "fail") {
      expect(error).toMatchObject({ code: "out_of_stock", message: "There is no bell left." });
      return;
    }
    expect({ status, error }).toEqual({ status: "completed", error: null });
    expect(lasting(stepOutput)).toEqual(lasting(example.sample));
    const { outputSchema } = types.find(one => one.type === type)!;
    expect(new Validator(outputSchema, "2020-12").validate(stepOutput)).toMatchObject({ valid: true });
  });
});

describe("GET /v1/node-types", () => {
  const path = "/v1/node-types";

  it("is for signed-in people and API keys", async () => {
    const { api, workspace, server } = stage;
    expect((await new Api(server.url).get(path)).status).toBe(401);
    const { body } = await api.post(`${workspace}/api-keys`, { name: "reader", role: "viewer" });
    for (const caller of [api, new Api(server.url, body.key as string)]) {
      expect(await caller.get(path)).toMatchObject({ status: 200, body: describeNodeTypes() });
    }
  });

  it("is sent again only if it has changed", async () => {
    const { headers } = await stage.api.get(path);
    const etag = headers.get("etag")!;
    expect(etag).toMatch(/^"[\w-]{20,}"$/);
    expect((await stage.api.get(path, { "if-none-match": etag })).status).toBe(304);
    expect((await stage.api.get(path, { "if-none-match": '"x"' })).status).toBe(200);
  });
});
