import { newWorkflow } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { untilEvent } from "../support/follow.ts";
import { startMcpServer } from "../support/mcp-server.ts";
import { visit } from "./support/browser.ts";
import { enter, join, newPerson, type Person } from "./support/person.ts";
import { browser, server } from "./support/scene.ts";

const LONG = "Reconciliation of the quarterly invoices of all subsidiaries ".repeat(12);
let mary: Person;

beforeAll(async () => {
  mary = await newPerson(server.url, "Mary Shelley", LONG.slice(0, 100));
});

async function open(path: string, person = mary) {
  const visited = await visit(browser, server.url);
  await enter(visited.context, server.url, person);
  await visited.page.goto(`${server.url}${path}`);
  return visited;
}

test("long names of people and workspaces stay in their columns", async () => {
  await mary.api.post(`/v1/workspaces/${mary.workspaceId}/memories/ingest`, {
    ...{ content: "I live in Oslo.", userId: LONG.slice(0, 120) },
  });
  const { context, page, guard } = await open(`/w/${mary.slug}/memory`);
  const person = page.getByRole("navigation", { name: "About" }).getByRole("button", { name: LONG.slice(0, 60) });
  const { x = 0, width = 0 } = (await person.boundingBox()) ?? {};
  const search = await page.getByRole("searchbox", { name: "Search what is remembered" }).boundingBox();
  expect(x + width).toBeLessThan(search?.x ?? 0);
  await page.goto(`${server.url}/me/notifications`);
  const back = await page
    .locator("aside")
    .getByRole("link", { name: LONG.slice(0, 60) })
    .boundingBox();
  const rail = await page.locator("aside").boundingBox();
  expect(back?.width).toBeLessThan(rail?.width ?? 0);
  expect(guard.faults).toEqual([]);
  await context.close();
});

test("a long question leaves room for the graph of its run, and is a text on its own page", async () => {
  const asks = definition([node("ask", "human", { prompt: LONG })]);
  const workflowId = await newWorkflow(mary.api, mary.space, asks);
  const { body } = await mary.api.post(`${mary.space}/executions`, { workflowId });
  await untilEvent(mary.api, `${mary.space}/executions/${body.id as string}`, "execution.suspended");
  const { context, page, guard } = await open(`/w/${mary.slug}/s/${mary.workspaceId}/runs/${body.id as string}`);
  const { height = 0 } = (await page.getByRole("group", { name: "Question" }).boundingBox()) ?? {};
  expect(height).toBeLessThanOrEqual(100);
  await page.goto(`${server.url}/a/${mary.workspaceId}/${body.id as string}`);
  await page.getByRole("heading", { name: LONG.trim() }).waitFor();
  expect(await page.evaluate("getComputedStyle(document.querySelector('[data-long]')).fontSize")).toBe("16px");
  expect(guard.faults).toEqual([]);
  await context.close();
});

test("a server whose tools were never read says what to do", async () => {
  const { body } = await mary.api.post(`/v1/workspaces/${mary.workspaceId}/mcp-servers`, {
    ...{ name: "Away", url: "http://127.0.0.1:9/mcp" },
  });
  const path = `/w/${mary.slug}/tools/servers/${body.id as string}`;
  const { context, page, guard } = await open(path);
  await page.getByText("The tools were not read yet").waitFor();
  expect(await page.getByRole("searchbox", { name: "Filter tools" }).count()).toBe(0);
  await page.getByText("choose “Read the tools again”").waitFor();
  await page.getByRole("button", { name: "Read the tools again" }).waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();

  const percy = await newPerson(server.url, "Percy Shelley");
  await join(mary, percy, "viewer");
  const viewer = await open(path, percy);
  await viewer.page.getByText("Ask an editor of the workspace").waitFor();
  expect(await viewer.page.getByText("Read the tools again").count()).toBe(0);
  expect(viewer.guard.faults).toEqual([]);
  await viewer.context.close();
});

test("a tool with long names and many arguments can be closed", async () => {
  const unbroken = "reconcile_".repeat(9);
  const names = Array.from({ length: 12 }, (_, n) => `${unbroken}${n}`);
  const inputSchema = { type: "object", properties: Object.fromEntries(names.map(name => [name, { type: "string" }])) };
  const tool = {
    name: unbroken,
    inputSchema,
    run: () => ({ content: [{ type: "text" as const, text: "Reconciled" }] }),
  };
  const mcp = await startMcpServer({ tools: [tool], name: "Books" });
  await mary.api.post(`/v1/workspaces/${mary.workspaceId}/mcp-servers`, { name: "Books", url: mcp.url });
  const { context, page, guard } = await open(`/w/${mary.slug}/tools`);
  await page.getByText("Connected", { exact: true }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  const link = page.getByRole("link", { name: "Books" });
  // On a phone, names have the whole width.
  expect((await link.boundingBox())!.width).toBeGreaterThan(280);
  await link.click();
  await page.getByRole("button", { name: unbroken }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Call the tool" }).press("Enter");
  await dialog.getByText("Reconciled").waitFor();
  const all = await dialog.boundingBox();
  const close = await dialog.getByRole("button", { name: "Close" }).boundingBox();
  expect(close!.x + close!.width).toBeLessThan(all!.x + all!.width);
  expect(close!.y).toBeLessThan(all!.y + all!.height);
  // The button is beside the first line of the title.
  const title = await dialog.getByRole("heading").first().boundingBox();
  expect(title!.height).toBeGreaterThan(40);
  expect(Math.abs(close!.y + close!.height / 2 - (title!.y + 12))).toBeLessThan(1.5);
  const field = await dialog.getByRole("textbox").first().boundingBox();
  expect(field!.x + field!.width).toBeLessThan(all!.x + all!.width);
  expect(guard.faults).toEqual([]);
  await context.close();
  await mcp.close();
});
