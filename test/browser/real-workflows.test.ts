import type { Browser } from "playwright-core";
import { newWorkflow } from "../support/api.ts";
import { eventually, read } from "../support/executions.ts";
import { FakeModels, callTools } from "../support/fake-models.ts";
import { type McpTestServer, startMcpServer, usualTools } from "../support/mcp-server.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { StandIns } from "../support/stand-ins.ts";
import { openBrowser, visit } from "./support/browser.ts";
import { agent, approval, github, order, type Places, report } from "./support/workflows-by-hand.ts";
import { canvas, Hand } from "./support/hand.ts";
import { enter, newPerson, type Person } from "./support/person.ts";

let server: Server;
let browser: Browser;
let ada: Person;
let models: FakeModels;
let mcp: McpTestServer;
let services: StandIns;
let chat: ReturnType<StandIns["add"]>;
let places: Places;

beforeAll(async () => {
  const say: NonNullable<FakeModels["options"]["say"]> = ({ messages, tools }) =>
    (messages as { role: string }[]).some(({ role }) => role === "tool") || !tools?.length
      ? "It is 3."
      : callTools([tools[0].function.name, { a: 1, b: 2 }]);
  [models, mcp, services, browser] = await Promise.all([
    FakeModels.open({ say }),
    startMcpServer({ tools: usualTools(), name: "Shop" }),
    new StandIns().open(),
    openBrowser(),
  ]);
  chat = services.add(() => ({}));
  const shop = services.add(({ path, query }) => {
    if (path === "/orders" && query.get("shop") === "Bells") {
      const next = query.get("page") === "2" ? null : "?shop=Bells&page=2";
      return { body: { orders: [{ total: 3 }, { total: 4 }], next } };
    }
    return path.endsWith("/gone") ? { status: 404 } : { body: { left: 3 } };
  });
  places = { chat: chat.url, shop: shop.url };
  server = await startServer({ env: { LLM_BASE_URL: models.baseUrl, LLM_MODEL: "big" } });
  ada = await newPerson(server.url);
  const workspace = `/v1/workspaces/${ada.workspaceId}`;
  const { body } = await ada.api.post(`${workspace}/mcp-servers`, { name: "Shop", url: mcp.url, agents: true });
  await ada.api.post(`${workspace}/knowledge-bases`, { name: "Handbook" });
  const tools = `${workspace}/mcp-servers/${body.id}`;
  await eventually(async () => (await read(ada.api, tools)).status === "connected", "the tools are known");
});
afterAll(async () => {
  await browser?.close();
  await removeServer(server);
  await Promise.all([models?.close(), mcp?.close(), services?.close()]);
});

/** Builds a workflow from nothing, and gives the output of the run that ended on the canvas. */
async function built(build: (hand: Hand, places: Places) => Promise<void>): Promise<unknown> {
  const { context, page, guard } = await visit(browser, server.url);
  await enter(context, server.url, ada);
  const id = await newWorkflow(ada.api, ada.space, null);
  await page.goto(`${server.url}/w/${ada.slug}/s/${ada.workspaceId}/f/${id}`);
  await canvas(page).focus();
  const hand = new Hand(page);
  await build(hand, places);
  const { keys, clicks, seconds } = hand.effort;
  if (process.env.SHOW) process.stdout.write(`${build.name}: ${keys} keys, ${clicks} clicks, ${seconds} s\n`);
  expect(guard.faults).toEqual([]);
  await context.close();
  const { body } = await ada.api.get(`${ada.space}/executions?workflowId=${id}&limit=1`);
  return (await read(ada.api, `${ada.space}/executions/${body[0].id}`)).output;
}

describe("a new person builds and runs, by keys and pointer", () => {
  it("a GitHub webhook that posts issues to a chat", async () => {
    await built(github);
    expect(chat.calls.at(-1)!.body).toEqual({ text: "New: It is slow https://github.com/a/b/issues/1" });
  });

  it("an agent with a knowledge base and a tool", async () => {
    expect(await built(agent)).toMatchObject({ text: "It is 3.", finishReason: "answered" });
  });

  it("an order whose lines are looked up, with a branch for missing items", async () => {
    expect(await built(order)).toMatchObject([{ body: { left: 3 } }, { part: "gone", left: 0 }]);
  });

  it("a paged list whose report is posted to a chat", async () => {
    await built(report);
    expect(chat.calls.at(-1)!.body).toEqual({ text: "Bells: 4 orders, 14 in all" });
  });

  it("an approval whose form asks for a reason", async () => {
    await built(approval);
    expect(chat.calls.at(-1)!.body).toEqual({ text: "Grace may: It is for bells." });
  });
});
