import { execFileSync } from "node:child_process";
import type { Browser, Page } from "playwright-core";
import { newWorkflow } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { untilEvent } from "../support/follow.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { openBrowser, visit } from "./support/browser.ts";
import { enter, newPerson, type Person } from "./support/person.ts";

let server: Server;
let browser: Browser;
let ada: Person;
let workflowId: string;
let asks: string;

beforeAll(async () => {
  execFileSync("node", ["scripts/build-console.ts"]);
  [server, browser] = await Promise.all([startServer(), openBrowser()]);
  ada = await newPerson(server.url);
  workflowId = await newWorkflow(ada.api, ada.space, definition([gives("one", 1)]));
  asks = await newWorkflow(ada.api, ada.space, definition([node("ask", "human", { prompt: "Ship it?" })]));
});
afterAll(async () => {
  await browser?.close();
  await removeServer(server);
});

async function start(id: string): Promise<string> {
  const { body } = await ada.api.post(`${ada.space}/executions`, { workflowId: id });
  return body.id as string;
}
const runPath = (id: string) => `/s/${ada.workspaceId}/runs/${id}`;
const pill = (page: Page) => page.getByRole("button", { name: /^\d+ new/ });

/** The streams that the tabs of a window have open. */
function countStreams(pages: readonly Page[]) {
  const open = new Set<object>();
  const isStream = (url: string) => /\/events(\?|$)/.test(url);
  for (const page of pages) {
    page.on("request", request => void (isStream(request.url()) && open.add(request)));
    page.on("requestfinished", request => void open.delete(request));
    page.on("requestfailed", request => void open.delete(request));
  }
  return open;
}

it("ten tabs over HTTP/1.1 share one stream of the workspace, and all show a new run", async () => {
  const { context, page: first, guard } = await visit(browser, server.url);
  await enter(context, server.url, ada);
  const waiting = await start(asks);
  await untilEvent(ada.api, `${ada.space}/executions/${waiting}`, "execution.suspended");
  const pages = [first, ...(await Promise.all(Array.from({ length: 9 }, () => context.newPage())))];
  const streams = countStreams(pages);
  const runPages = 4;
  for (const [n, page] of pages.entries()) {
    await page.goto(`${server.url}/w/${ada.slug}${n < runPages ? runPath(waiting) : "/runs"}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
  }
  // The list of each tab has been read, so a run from now on is new.
  for (const page of pages.slice(runPages)) await page.locator(`[data-row="${waiting}"]`).waitFor();
  expect(streams.size).toBeGreaterThanOrEqual(2);
  expect(streams.size).toBeLessThanOrEqual(3);
  await start(workflowId);
  await Promise.all(pages.slice(runPages).map(page => pill(page).waitFor()));
  // Nothing moves until the person lets it in.
  expect(await pages.at(-1)!.locator("[data-row]").count()).toBe(1);
  await pill(pages.at(-1)!).click();
  await pages.at(-1)!.locator("[data-row]").nth(1).waitFor();
  // The runs that have no stream of their own follow too.
  await ada.api.patch(`${ada.space}/executions/${waiting}/respond`, { approved: true });
  const ended = (page: Page) => page.locator("header").getByText("Completed", { exact: true }).first().waitFor();
  await Promise.all(pages.slice(0, runPages).map(ended));
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("the next tab reads on when the one that reads is closed", async () => {
  const { context, page: first } = await visit(browser, server.url);
  await enter(context, server.url, ada);
  const second = await context.newPage();
  for (const page of [first, second]) {
    await page.goto(`${server.url}/w/${ada.slug}/runs`);
    await page.locator("[data-row]").first().waitFor();
  }
  const opened = second.waitForRequest(/\/events$/);
  await first.close();
  await opened;
  await start(workflowId);
  await pill(second).waitFor();
  await context.close();
});

it("a lost connection is said after a while, and no more once it is back", async () => {
  const own = await startServer();
  const person = await newPerson(own.url);
  const { context, page } = await visit(browser, own.url);
  await enter(context, own.url, person);
  await page.goto(`${own.url}/w/${person.slug}/runs`);
  await page.getByText("No runs yet").waitFor();
  await own.stop("SIGKILL");
  const bar = page.getByText(/^Connection lost\. Shown as of \d\d:\d\d/);
  await bar.waitFor();
  const again = await startServer({ dataDir: own.dataDir, port: Number(new URL(own.url).port) });
  await bar.waitFor({ state: "detached", timeout: 30_000 });
  await context.close();
  await removeServer(again);
});

it("a tab reads by itself where there are no locks", async () => {
  const { context, page } = await visit(browser, server.url);
  // What a page lacks over plain HTTP on a network.
  await context.addInitScript("delete Navigator.prototype.locks");
  await enter(context, server.url, ada);
  await page.goto(`${server.url}/w/${ada.slug}/runs`);
  await page.locator("[data-row]").first().waitFor();
  expect(await page.evaluate("'locks' in navigator")).toBe(false);
  await start(workflowId);
  await pill(page).waitFor();
  await context.close();
});
