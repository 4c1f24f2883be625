import { execFileSync } from "node:child_process";
import type { Browser, Locator, Page } from "playwright-core";
import { newWorkflow } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { untilEvent } from "../support/follow.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { barriers } from "./support/barriers.ts";
import { openBrowser, visit } from "./support/browser.ts";
import { enter, newPerson, type Person } from "./support/person.ts";

let server: Server;
let browser: Browser;
let ada: Person;
let workflowId: string;

/** Reads twelve lines, of which the fourth fails, and asks a person. */
const LINES = {
  nodes: [
    node("read", "transform", { value: { lines: "{{ [1..12] }}" } }, { name: "Read the order" }),
    node("each", "map", { items: "{{ steps.read.lines }}" }, { name: "Reserve each line" }),
    node(
      "stock",
      "transform",
      { value: { left: "{{ item = 4 ? $error('Out of stock') : item }}" } },
      { name: "Check stock", parentId: "each", policy: { onError: "continue" } },
    ),
    node("ask", "human", { prompt: "Ship the order of Bloom & Sons?" }, { name: "Ask the manager" }),
  ],
  edges: [
    { source: "read", target: "each" },
    { source: "each", target: "ask" },
  ],
};

async function asking(): Promise<string> {
  const { body } = await ada.api.post(`${ada.space}/executions`, { workflowId, input: { customer: "Bloom" } });
  await untilEvent(ada.api, `${ada.space}/executions/${body.id as string}`, "execution.suspended");
  return body.id as string;
}
const addressOf = (id: string, query = "") => `${server.url}/w/${ada.slug}/s/${ada.workspaceId}/runs/${id}${query}`;
const rows = (page: Page) => page.getByRole("tree", { name: "Steps" }).getByRole("treeitem");

beforeAll(async () => {
  execFileSync("node", ["scripts/build-console.ts"]);
  [server, browser] = await Promise.all([startServer(), openBrowser()]);
  ada = await newPerson(server.url);
  workflowId = await newWorkflow(ada.api, ada.space, { ...definition([]), ...LINES });
});
afterAll(async () => {
  await browser?.close();
  await removeServer(server);
});

describe("the page of a run", () => {
  it("follows it live to its end", async () => {
    const { context, page, guard } = await visit(browser, server.url);
    await enter(context, server.url, ada);
    const id = await asking();
    await page.goto(addressOf(id));
    await page.getByText("Ship the order of Bloom & Sons?").waitFor();
    await page.getByRole("application").getByText("Ask the manager").waitFor();
    expect(await rows(page).count()).toBe(3);
    await ada.api.patch(`${ada.space}/executions/${id}/respond`, { approved: true });
    await page.locator("header").getByText("Completed", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Retry" }).waitFor();
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("takes the answer beside the graph, and shows one view at a time on a phone", async () => {
    const { context, page, guard } = await visit(browser, server.url);
    await enter(context, server.url, ada);
    await page.goto(addressOf(await asking()));
    await page.getByRole("button", { name: "Answer" }).click();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("heading", { name: "You approved" }).waitFor();
    await page.locator("header").getByText("Completed", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("tab", { name: "Steps", selected: true }).waitFor();
    expect(await rows(page).count()).toBe(3);
    await page.getByRole("tab", { name: "Graph" }).click();
    await page.getByRole("application").getByText("Ask the manager").waitFor();
    expect(await rows(page).count()).toBe(0);
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("leads by keys to the item that failed, and to its error", async () => {
    const { context, page, guard } = await visit(browser, server.url);
    await enter(context, server.url, ada);
    await page.goto(addressOf(await asking()));
    const tree = page.getByRole("tree", { name: "Steps" });
    await rows(page).nth(1).waitFor();
    await tree.focus();
    for (const key of ["ArrowDown", "ArrowDown", "Enter", "f"]) await page.keyboard.press(key);
    const failed = rows(page).filter({ hasText: "Item 3" });
    await failed.waitFor();
    expect(await rows(page).filter({ hasText: /^Item/ }).count()).toBe(1);
    for (const key of ["ArrowDown", "Enter"]) await page.keyboard.press(key);
    await rows(page).filter({ hasText: "Check stock" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("complementary", { name: "Step Check stock" }).getByText("Out of stock").first().waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ n: "stock", p: "each:3" });
    await page.reload();
    await page.getByRole("complementary", { name: "Step Check stock" }).waitFor();
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("goes on after the server was killed and started again", async () => {
    const own = await startServer();
    const person = await newPerson(own.url);
    const workflow = await newWorkflow(person.api, person.space, { ...definition([]), ...LINES });
    const { body } = await person.api.post(`${person.space}/executions`, { workflowId: workflow });
    const path = `${person.space}/executions/${body.id as string}`;
    await untilEvent(person.api, path, "execution.suspended");
    const { context, page } = await visit(browser, own.url);
    await enter(context, own.url, person);
    await page.goto(`${own.url}/w/${person.slug}/s/${person.workspaceId}/runs/${body.id as string}`);
    await page.getByRole("application").getByText("Ask the manager").waitFor();
    await own.stop("SIGKILL");
    const again = await startServer({ dataDir: own.dataDir, port: Number(new URL(own.url).port) });
    await person.api.patch(`${path}/respond`, { approved: true });
    await page.getByRole("button", { name: "Retry" }).waitFor({ timeout: 30_000 });
    await context.close();
    await removeServer(again);
  });

  it.each(["light", "dark"] as const)("has no barriers in the %s theme", async colorScheme => {
    const { context, page, guard } = await visit(browser, server.url, { colorScheme });
    await enter(context, server.url, ada);
    const id = await asking();
    const shown: Record<string, Locator> = {
      "": page.getByRole("application").getByText("Ask the manager"),
      "?n=read": page.getByRole("complementary").getByText("lines:"),
      "?view=timeline": page.getByRole("list", { name: "Steps over time" }).getByText("Ask the manager"),
      "?view=log": page.getByRole("grid", { name: "Log" }).getByText("Reserve each line").first(),
    };
    for (const [query, sight] of Object.entries(shown)) {
      await page.goto(addressOf(id, query));
      await rows(page).first().waitFor();
      await sight.waitFor();
      expect([query, await barriers(page)]).toEqual([query, []]);
    }
    expect(guard.faults).toEqual([]);
    await context.close();
  });
});
