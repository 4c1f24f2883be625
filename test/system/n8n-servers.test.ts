import { readFileSync } from "node:fs";
import { type Api, type Json, newWorkspace } from "../support/api.ts";
import { describeWithDatabase } from "../support/databases.ts";
import { start } from "../support/executions.ts";
import { FakeModels } from "../support/fake-models.ts";
import { untilEnd } from "../support/follow.ts";
import { MailSink } from "../support/mail-sink.ts";
import { authorizedCredential, startRotatingTokens } from "../support/rotating-tokens.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { StandIns } from "../support/stand-ins.ts";

// Workflows of n8n that need a database, a mail server, a language model or Slack.

const file = (name: string): Json => JSON.parse(readFileSync(`test/fixtures/n8n/${name}.json`, "utf8"));
let server: Server;
let models: FakeModels;
let sink: MailSink;
const standIns = new StandIns();
let api: Api;
let workspace: string;
let space: string;

beforeAll(async () => {
  models = await FakeModels.open({ say: ({ messages }) => `Asked: ${(messages as Json[]).at(-1).content}` });
  const env = { LLM_BASE_URL: models.baseUrl, LLM_MODEL: "big" };
  [server, sink] = await Promise.all([startServer({ env }), new MailSink().start(), standIns.open()]);
  const made = await newWorkspace(server.url);
  ({ api, space } = made);
  workspace = `/v1/workspaces/${made.workspaceId}`;
});
afterAll(() => Promise.all([removeServer(server), sink.stop(), standIns.close(), models.close()]));

async function created(path: string, body: object): Promise<Json> {
  const answer = await api.post(path, body);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
}

/** Imports a workflow as it is, runs it, and returns the run once it has ended. */
async function played(name: string, input: unknown, change?: (definition: Json) => void): Promise<Json> {
  const { id, definition } = await created(`${space}/workflows/import`, file(name) as object);
  if (change) {
    change(definition);
    expect((await api.patch(`${space}/workflows/${id}`, { definition })).status).toBe(200);
  }
  expect((await api.post(`${space}/workflows/${id}/validate`)).body).toEqual({ valid: true, faults: [] });
  return untilEnd(api, (await start(api, space, id as string, input)).path);
}

describeWithDatabase("postgres", database => {
  test("stores the orders of all pages row by row, and mails the number of rows that the database returned", async () => {
    await database().ask("CREATE TABLE orders (id int PRIMARY KEY, customer text, total int)");
    await created(`${workspace}/credentials`, { name: "Warehouse", type: "postgres", data: database().access });
    const access = { host: "127.0.0.1", port: sink.port, security: "off", username: "weft", password: sink.password };
    const data = { ...access, from: "shop@example.com" };
    await created(`${workspace}/credentials`, { name: "Office mail", type: "smtp", data });
    const shop = standIns.add(({ query }) => {
      const page = Number(query.get("page") ?? 1);
      const order = { id: page, customer: `Ada' ${page}`, total: page * 10 };
      const next = page < 3 ? `${shop.url}/orders?page=${page + 1}` : null;
      return { body: { orders: [order, { ...order, id: page + 10 }], next } };
    });
    const run = await played("orders-to-postgres", { api: shop.url });
    expect(run).toMatchObject({ status: "completed", error: null });
    expect(shop.calls[0]?.query.get("status")).toBe("paid");
    expect(shop.calls).toHaveLength(3);
    expect(await database().ask("SELECT * FROM orders ORDER BY id")).toEqual(
      [1, 2, 3, 11, 12, 13].map(id => ({ id, customer: `Ada' ${id % 10}`, total: (id % 10) * 10 })),
    );
    const [mail] = await sink.to("office@example.com");
    expect(mail?.subject).toMatch(/^6 orders of \d\d\.\d\d\.\d{4}$/);
    expect(mail?.text?.trim()).toBe("In all: 120 EUR");
  });
});

describeWithDatabase("mysql", database => {
  test("stores the rows of a sheet, and writes their number to the database and to another sheet", async () => {
    await database().ask("CREATE TABLE leads (name varchar(50), mail varchar(100), score int)");
    await database().ask("CREATE TABLE imports (source varchar(20), stored int)");
    await database().ask("INSERT INTO imports VALUES ('sheet', 4), ('form', 1)");
    await created(`${workspace}/credentials`, { name: "Shop database", type: "mysql", data: database().access });
    const tokens = await startRotatingTokens();
    const log: unknown[][] = [];
    const leads = [
      ["Name", "", "Mail", "Score"],
      ["Ada", "x", "ada@example.com", 7],
      [],
      ["Bo'", "", "bo@example.com", 5],
    ];
    // As the Sheets API answers: it leaves out empty cells at the end of a row, and names the range of what was written.
    const sheets = standIns.add(({ method, path, query, headers, body }) => {
      if (!tokens.given.includes(headers.authorization?.replace("Bearer ", "") ?? "")) return { status: 401 };
      const range = decodeURIComponent(path.split("/values/")[1] ?? "");
      if (method === "GET" && range === "'Leads'") return { body: { range, majorDimension: "ROWS", values: leads } };
      const writes =
        method === "POST" && range === "'Log'!A:Z:append" && query.get("insertDataOption") === "INSERT_ROWS";
      if (!writes) return { status: 404 };
      log.push(...(body.values as unknown[][]));
      return { body: { updates: { updatedRange: `Log!A${log.length}`, updatedRows: 1 } } };
    });
    await authorizedCredential(api, workspace, tokens, new URL(sheets.url).host, "Office sheets");
    const run = await played("sheet-to-mysql", null, definition => {
      for (const { type, data } of definition.nodes as Json[])
        if (type === "http") data.url = String(data.url).replace("https://sheets.googleapis.com", sheets.url);
    });
    await tokens.close();
    expect(run).toMatchObject({ status: "completed", error: null });
    expect(await database().ask("SELECT * FROM leads ORDER BY name")).toEqual([
      { name: "Ada", mail: "ada@example.com", score: 7 },
      { name: "Bo'", mail: "bo@example.com", score: 5 },
    ]);
    expect(await database().ask("SELECT * FROM imports ORDER BY source")).toEqual([
      { source: "form", stored: 1 },
      { source: "sheet", stored: 6 },
    ]);
    expect(log).toEqual([["Leads of the sheet", null, 2]]);
  });
});

test("runs the agent with the memory of the thread, and passes its answer on", async () => {
  const run = await played("chat-assistant", { chatInput: "Where is my tea?", sessionId: "s-1" });
  expect(run).toMatchObject({ status: "completed", output: { text: "Asked: Where is my tea?", session: "s-1" } });
  const asked = models.calls.find(({ path }) => path === "/v1/chat/completions")!.body;
  expect(asked).toMatchObject({ temperature: 0.2 });
  expect(JSON.stringify(asked.messages[0])).toContain("You help the customers of a tea shop.");
});

test("reports a failed run to Slack, with the credential of the same name as in n8n", async () => {
  const slack = standIns.add(() => ({ body: { ok: true } }));
  const credential = {
    name: "Team Slack",
    type: "bearer",
    hosts: [new URL(slack.url).host],
    data: { token: "a-token-for-slack" },
  };
  await created(`${workspace}/credentials`, credential);
  const input = { id: "r-1", workflowId: "w-1", error: { code: "http_status", message: "503", nodeId: "call" } };
  const run = await played("error-alert", input, definition => {
    const step = (definition.nodes as Json[]).find(({ id }) => id === "tell_the_team");
    expect(step.data.url).toBe("https://slack.com/api/chat.postMessage");
    step.data.url = `${slack.url}/api/chat.postMessage`;
  });
  expect(run).toMatchObject({ status: "completed", error: null });
  expect(slack.calls).toMatchObject([
    {
      ...{ method: "POST", path: "/api/chat.postMessage", headers: { authorization: "Bearer a-token-for-slack" } },
      body: { channel: "C0123", text: "Run r-1 failed at call: 503" },
    },
  ]);
});
