import type { Browser, Page } from "playwright-core";
import { type Endpoint, startEndpoint } from "../support/endpoint.ts";
import { newWorkflow } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { type McpTestServer, startMcpServer, usualTools } from "../support/mcp-server.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";
import { barriersInThemes } from "./support/barriers.ts";
import { openBrowser, visit, type Visit } from "./support/browser.ts";
import { enter, join, newPerson, type Person } from "./support/person.ts";

let server: Server;
let browser: Browser;
let mcp: McpTestServer;
let endpoint: Endpoint;
let ada: Person;
let grace: Person;

beforeAll(async () => {
  [server, browser, mcp, endpoint] = await Promise.all([
    sharedServer(),
    openBrowser(),
    startMcpServer({ tools: usualTools(), name: "Shop" }),
    startEndpoint(),
  ]);
  ada = await newPerson(server.url);
  grace = await newPerson(server.url, "Grace Hopper", "Compilers");
  await join(ada, grace, "viewer");
});
afterAll(async () => {
  await browser?.close();
  await mcp?.close();
  await endpoint?.close();
});

const pageOf = (name: string) => `${server.url}/w/${ada.slug}/${name}`;

async function open(name: string, person = ada): Promise<Visit> {
  const visited = await visit(browser, server.url);
  await enter(visited.context, server.url, person);
  await visited.page.goto(pageOf(name));
  return visited;
}

async function expectNoBarriers(page: Page): Promise<void> {
  expect(await barriersInThemes(page)).toEqual([]);
}

const confirm = (page: Page, name: string) => page.getByRole("alertdialog").getByRole("button", { name }).click();

it("a person adds an MCP server, tries its tools, offers it to agents, and deletes it", async () => {
  const { context, page, guard } = await open("tools");
  await page.getByText("No tool servers yet").waitFor();
  await page.getByRole("button", { name: "Add a server" }).click();
  await page.getByLabel("Address").fill(mcp.url);
  await page.getByLabel("Name").fill("Shop");
  const [signs, add] = [
    page.getByRole("combobox", { name: "How calls are signed" }),
    page.getByRole("dialog").getByRole("button", { name: "Add a server" }),
  ];
  await signs.click();
  await page.getByRole("option", { name: "A credential of the workspace" }).click();
  await add.click();
  await page.getByRole("alert").getByText("There is no credential that signs calls.").waitFor();
  await signs.click();
  await page.getByRole("option", { name: "Not at all" }).click();
  await add.click();
  await page.getByText("Connected").waitFor();
  await page.getByRole("button", { name: "Add two numbers" }).click();
  // The tool is read after its dialog has opened.
  await page
    .locator(":focus")
    .and(page.getByRole("dialog").getByLabel("A", { exact: true }))
    .waitFor();
  await page.keyboard.type("20");
  await page.getByRole("dialog").getByLabel("B", { exact: true }).fill("22");
  await page.getByRole("button", { name: "Call the tool" }).click();
  await page.getByRole("region", { name: "Result" }).getByText("42").first().waitFor();
  await expectNoBarriers(page);
  const address = page.url();
  await page.keyboard.press("Escape");
  await page.getByRole("switch", { name: "Open to agents" }).click();
  await page.getByRole("switch", { name: "Open to agents", checked: true }).waitFor();
  await page.getByRole("tab", { name: "Changes" }).click();
  await page.getByText("No changes yet").waitFor();
  await page.goto(pageOf("tools"));
  await page.getByLabel("Find a tool by what it does").fill("sum of numbers");
  await page.getByRole("link", { name: "Add two numbers" }).waitFor();

  // A workflow that names the tool is found from the tool, from the server, and by who would delete it.
  const { body: found } = await ada.api.post(`/v1/workspaces/${ada.workspaceId}/mcp-servers/tools/search`, {
    query: "add two numbers",
  });
  const sum = node("sum", "tool", { toolId: (found as { id: string }[])[0]!.id, arguments: { a: 1, b: 2 } });
  await newWorkflow(ada.api, ada.space, definition([sum]));
  await page.goto(address);
  await page.getByRole("region", { name: "Used by" }).getByRole("link", { name: "A workflow" }).waitFor();
  await page.getByText("Not deployed · sum").waitFor();
  await expectNoBarriers(page);
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Used by" }).click();
  await page.getByText("Not deployed · add").waitFor();
  await expectNoBarriers(page);
  await page.getByRole("link", { name: "A workflow" }).click();
  await page.getByRole("heading", { name: "sum" }).waitFor();

  // A person who only looks is offered no call, and nothing that is asked for is refused.
  const viewer = await open("tools", grace);
  await viewer.page.goto(address);
  await viewer.page.getByRole("dialog").getByText("Gives the sum").waitFor();
  expect(await viewer.page.getByRole("button", { name: "Call the tool" }).count()).toBe(0);
  expect(viewer.guard.faults).toEqual([]);
  await viewer.context.close();
  await page.goto(address.replace(/\?.*/, ""));
  await page.getByRole("button", { name: "More for Shop" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByText("1 workflow uses its tools: A workflow").waitFor();
  // The page may hear that the server is gone before it leaves.
  guard.allow(/status of 404 .*\/mcp-servers\//);
  await confirm(page, "Delete");
  await page.getByText("No tool servers yet").waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("a person adds an API from its OpenAPI document, tries its operations, changes and deletes it", async () => {
  const { context, page, guard } = await open("tools");
  await page.getByText("No APIs yet").waitFor();
  await page.getByRole("button", { name: "Add an API" }).click();
  const id = { name: "id", in: "path", required: true, schema: { type: "integer" } };
  const document = {
    ...{ openapi: "3.1.0", info: { title: "Shop", version: "2" }, servers: [{ url: `${endpoint.url}/echo` }] },
    paths: { "/orders/{id}": { get: { operationId: "getOrder", summary: "Read an order", parameters: [id] } } },
    components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
  };
  const buffer = Buffer.from(JSON.stringify(document));
  await page.getByLabel("Or a file").setInputFiles({ name: "Orders.json", mimeType: "application/json", buffer });
  await page.getByRole("dialog").getByRole("button", { name: "Add an API" }).click();
  await page.getByText("Connected").waitFor();
  await page.getByText("GET /orders/{id}").waitFor();
  await page.getByRole("button", { name: "Read an order" }).click();
  await page.getByRole("dialog").getByLabel("Id").fill("7");
  await page.getByRole("button", { name: "Call the tool" }).click();
  await page.getByRole("region", { name: "Result" }).getByText("/echo/orders/7").first().waitFor();
  await expectNoBarriers(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "More for Orders" }).click();
  await page.getByRole("menuitem", { name: "Change" }).click();
  await page.getByText("key: API key in the header X-Key").waitFor();
  await expectNoBarriers(page);
  await page.getByLabel("Name").fill("Shop");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Shop" }).waitFor();
  await page.goto(pageOf("tools"));
  await page.getByText("1 operation").waitFor();
  await expectNoBarriers(page);
  await page.getByLabel("Find a tool by what it does").fill("read an order");
  await page.getByRole("link", { name: "Read an order" }).click();
  await page.getByRole("dialog").getByText("Read an order").first().waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "More for Shop" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  // The page may hear that the API is gone before it leaves.
  guard.allow(/status of 404 .*\/apis\//);
  await confirm(page, "Delete");
  await page.getByText("No APIs yet").waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("a memory is added, superseded, shown with its history, restored and deleted", async () => {
  const { context, page, guard } = await open("memory");
  const remember = async (text: string) => {
    await page.getByRole("button", { name: "Remember a text" }).click();
    await page.getByRole("textbox", { name: "Text" }).fill(text);
    await page.getByRole("button", { name: "Remember", exact: true }).click();
    // The answer, and not the page behind it: a second text that is sent before the answer may be read first.
    await page.getByRole("dialog").getByRole("status").filter({ hasText: "remembered" }).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
  };
  await page.getByText("Nothing is remembered yet").waitFor();
  // A phone has no space for the buttons side by side, so the primary one is above the other.
  await page.setViewportSize({ width: 390, height: 844 });
  const topOf = async (name: string) => (await page.getByRole("button", { name }).boundingBox())!.y;
  expect(await topOf("Remember a text")).toBeLessThan(await topOf("Add a statement"));
  await page.setViewportSize({ width: 1440, height: 900 });
  await remember("My mother lives in Lyon.");
  await remember("My mother moved to Nice.");
  await page.getByRole("button", { name: /Nice/ }).waitFor();
  expect(await page.getByRole("button", { name: /Lyon/ }).count()).toBe(0);
  await page.getByRole("button", { name: "Superseded statements" }).click();
  await page.getByRole("button", { name: /Lyon/ }).click();
  await page.getByRole("list", { name: "History" }).getByRole("button", { name: /Nice/ }).waitFor();
  // A key that is pressed too soon deletes nothing.
  expect(await page.locator(":focus").getAttribute("role")).toBe("dialog");
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Delete" }).click();
  await confirm(page, "Delete");
  await page.getByText("Nothing here").waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("a text is previewed before it is stored for a customer's thread, and the customer is then listed", async () => {
  const base = `/v1/workspaces/${ada.workspaceId}/memories`;
  const place = { userId: "customer-7", scope: "thread", threadId: "ticket-1" };
  await ada.api.post(`${base}/ingest`, { content: "I live in Paris. I like tea.", ...place });
  await ada.api.post(base, { content: "Pays on time", userId: "customer-7" });
  const { context, page, guard } = await open("memory");
  const people = page.getByRole("navigation", { name: "About" });
  await people.getByRole("button", { name: /customer-7/ }).click();
  await page.getByRole("button", { name: /Pays on time/ }).waitFor();
  await people.getByRole("button", { name: /ticket-1/ }).click();
  await page.getByRole("button", { name: /Pays on time/ }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: /lives in Paris/ }).waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Remember a text" }).click();
  await page.getByText("only for the thread ticket-1").waitFor();
  await page.getByRole("button", { name: "Preview" }).click();
  await page.locator("textarea:invalid:focus").waitFor();
  await page.getByRole("textbox", { name: "Text" }).fill("I moved to Berlin. I like tea.");
  await page.getByRole("button", { name: "Preview" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("1 statement would be remembered").waitFor();
  await dialog.getByText("The user lives in Paris").waitFor();
  await dialog.getByText("The user likes tea").waitFor();
  await expectNoBarriers(page);
  expect((await ada.api.get(`${base}?userId=customer-7&threadId=ticket-1`)).body).toHaveLength(2);
  await page.getByRole("button", { name: "Change the text" }).click();
  await page.getByRole("textbox", { name: "Text" }).fill("I moved to Rome.");
  await page.getByRole("button", { name: "Remember", exact: true }).click();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("button", { name: /Rome/ }).waitFor();
  expect(await page.getByRole("button", { name: /Paris/ }).count()).toBe(0);
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("a file is uploaded, previewed, downloaded and deleted", async () => {
  const { context, page, guard } = await open("files");
  await page.getByText("No files yet").waitFor();
  const field = page.locator("input[type=file]");
  await field.setInputFiles({ name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("Bring bells.") });
  await page.getByRole("button", { name: "Preview note.txt" }).click();
  await page.getByText("Bring bells.").waitFor();
  await expectNoBarriers(page);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe("note.txt");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "More for note.txt" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await confirm(page, "Delete");
  await page.getByText("No files yet").waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("a variable is set and deleted, and the audit log shows both changes", async () => {
  await ada.api.post(`${ada.space}/workflows`, { name: "In the log" });
  const { context, page, guard } = await open("settings/variables");
  await page.getByText("No variables yet").waitFor();
  await page.getByRole("button", { name: "New variable" }).click();
  await page.getByLabel("Name").fill("shop");
  await page.getByLabel("Value").fill("https://shop.example.com");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText('"https://shop.example.com"').waitFor();
  await expectNoBarriers(page);
  const { body } = await ada.api.get(`/v1/workspaces/${ada.workspaceId}/variables`);
  expect(body.values).toEqual({ shop: "https://shop.example.com" });
  await page.getByRole("button", { name: "More for shop" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await confirm(page, "Delete");
  await page.getByText("No variables yet").waitFor();

  await page.goto(pageOf("settings/audit"));
  await page.getByText("Change variables of the workspace").first().click();
  await page.getByText("variables.update", { exact: true }).first().waitFor();
  await page.getByText(ada.workspaceId).first().waitFor();
  await expectNoBarriers(page);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export as CSV" }).click();
  expect((await download).suggestedFilename()).toMatch(/^audit-.*\.csv$/);
  await page.getByLabel("Action").fill("no.such.action");
  await page.keyboard.press("Enter");
  await page.getByText("No entry matches these filters").waitFor();
  // Words that several actions have lead to the list, and not to an empty log.
  await page.getByLabel("Action").fill("workflow");
  await page.keyboard.press("Enter");
  await page.getByText("Choose one from the list.").waitFor();
  await page.getByLabel("Action").fill("create a workflow");
  await page.keyboard.press("Enter");
  await page.locator("summary").filter({ hasText: "Create a workflow In the log" }).first().click();
  expect(new URL(page.url()).searchParams.get("action")).toBe("workflows.create");
  await page.locator("dl").getByRole("link").first().click();
  await page.waitForURL(/\/f\//);
  expect(guard.faults).toEqual([]);
  await context.close();
});
