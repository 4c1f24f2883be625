import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { Api, newWorkflow } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { readLog, untilEvent } from "../support/follow.ts";
import { removeServer, type Server, startServer, temporaryFolder } from "../support/server.ts";
import { openBrowser, visit } from "./support/browser.ts";
import { enter, newPerson, type Person } from "./support/person.ts";

const SHIFTED_CLOCK = pathToFileURL(join(process.cwd(), "test/support/shifted-clock.ts")).href;
/** Longer than an access token lasts. */
const JUMP_MS = 16 * 60_000;

let clock: string;
/** How far the clock of the server is ahead. */
let ahead = 0;
let server: Server;
let browser: Browser;
let ada: Person;
let workflowId: string;
let asks: string;

beforeAll(async () => {
  clock = await temporaryFolder();
  const env = { NODE_OPTIONS: `--import=${SHIFTED_CLOCK}`, CLOCK_FILE: join(clock, "clock") };
  [server, browser] = await Promise.all([startServer({ env }), openBrowser()]);
  ada = await newPerson(server.url);
  workflowId = await newWorkflow(ada.api, ada.space, definition([gives("one", 1)]));
  asks = await newWorkflow(ada.api, ada.space, definition([node("ask", "human", { prompt: "Ship it?" })]));
});
afterAll(async () => {
  await browser?.close();
  await removeServer(server);
  await rm(clock, { recursive: true, force: true });
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

it("another tab takes over the stream when the tab that reads it is closed", async () => {
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

/** Notes every row of the log that is ever shown, at its place. */
const NOTE_ROWS = `
  globalThis.rowsSeen = new Set();
  const note = () => {
    for (const row of document.querySelectorAll('[role="grid"] [role="row"]')) {
      rowsSeen.add(row.getAttribute("aria-rowindex") + " " + row.textContent);
    }
  };
  note();
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
`;

it("a run of 30 steps is followed across a server crash: each entry once and in order, with a banner while the server is away", async () => {
  const env = { WORKER_LEASE_MS: "1000" };
  const own = await startServer({ env });
  const person = await newPerson(own.url);
  const names = Array.from({ length: 30 }, (_, n) => `step-${n + 1}`);
  const steps = names.map((id, n) =>
    n % 10 === 9 ? node(id, "human", { prompt: `Go on after ${id}?` }) : gives(id, n),
  );
  const edges = names.slice(1).map((id, n) => `${names[n]} > ${id}`);
  const workflow = await newWorkflow(person.api, person.space, definition(steps, ...edges));
  const { body } = await person.api.post(`${person.space}/executions`, { workflowId: workflow });
  const id = body.id as string;
  const path = `${person.space}/executions/${id}`;
  const goOn = () => person.api.patch(`${path}/respond`, { approved: true });
  await untilEvent(person.api, path, "execution.suspended");
  const { context, page } = await visit(browser, own.url);
  await enter(context, own.url, person);
  await page.goto(`${own.url}/w/${person.slug}/s/${person.workspaceId}/runs/${id}?view=log`);
  const rows = page.getByRole("grid", { name: "Log" }).getByRole("row");
  await rows.filter({ hasText: "step-10" }).first().waitFor();
  await page.evaluate(NOTE_ROWS);
  await goOn();
  await untilEvent(person.api, path, "execution.suspended", 2);
  await own.stop("SIGKILL");
  const bar = page.getByText(/^Connection lost\. Shown as of \d\d:\d\d/);
  await bar.waitFor();
  const again = await startServer({ env, dataDir: own.dataDir, port: Number(new URL(own.url).port) });
  await goOn();
  await bar.waitFor({ state: "detached", timeout: 30_000 });
  await untilEvent(person.api, path, "execution.suspended", 3);
  await goOn();
  await page.locator("header").getByText("Completed", { exact: true }).first().waitFor();

  const log = await readLog(person.api, path);
  // The last entries may come after the run has ended on the page.
  await page.locator(`[role="grid"][aria-rowcount="${log.length}"]`).focus();
  await page.keyboard.press("End");
  await page.locator(`[role="row"][aria-rowindex="${log.length}"]`).waitFor();
  await page.keyboard.press("Home");
  await page.locator('[role="row"][aria-rowindex="1"]').waitFor();
  const seen = await page.evaluate<string[]>("[...rowsSeen]");
  const places = new Map<number, string[]>();
  for (const row of seen) {
    const [index = "", ...rest] = row.split(" ");
    places.set(Number(index), [...(places.get(Number(index)) ?? []), rest.join(" ")]);
  }
  // Each place showed one entry all the time, and it is the one that the log has there.
  for (const [index, texts] of places) {
    const { message, nodeId } = log[index - 1]!;
    expect([index, texts]).toEqual([index, [expect.stringContaining(`${nodeId ?? ""}${message}`)]]);
  }
  expect(places.size).toBeGreaterThan(60);
  await context.close();
  await removeServer(again);
});

// The last test, because the clock of the server stays ahead.
it("an access token that expires in three tabs at once is renewed without a sign-out, and the streams continue", async () => {
  const { context, page: first, guard } = await visit(browser, server.url);
  guard.allow(/status of 401/);
  const signedIn = async () => {
    const { email, password } = ada;
    const { body } = await new Api(server.url).post("/v1/auth/login", { email, password });
    ada = { ...ada, api: ada.api.as(body.accessToken as string) };
  };
  await signedIn();
  await enter(context, server.url, ada);
  const waiting = await start(asks);
  await untilEvent(ada.api, `${ada.space}/executions/${waiting}`, "execution.suspended");
  const pages = [first, await context.newPage(), await context.newPage()];
  for (const [n, page] of pages.entries()) {
    await page.goto(`${server.url}/w/${ada.slug}${n === 0 ? runPath(waiting) : "/runs"}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
  }
  for (const page of pages.slice(1)) await page.locator(`[data-row="${waiting}"]`).waitFor();
  let [renewals, streams] = [0, 0];
  const allRenewed = Promise.withResolvers<void>();
  context.on("request", request => {
    if (request.url().endsWith("/v1/auth/browser/token") && ++renewals === pages.length) allRenewed.resolve();
    if (/\/events(\?|$)/.test(request.url())) streams++;
  });
  await writeFile(join(clock, "clock"), String((ahead += JUMP_MS)));
  server.process.kill("SIGUSR2");
  // Each tab asks for something at once, with a token that has expired.
  await Promise.all(pages.map(page => page.getByRole("link", { name: "Workflows" }).first().click()));
  for (const page of pages) await page.getByRole("heading", { name: "Workflows" }).waitFor();
  await allRenewed.promise;
  for (const page of pages) await page.goBack();
  for (const page of pages.slice(1)) await page.locator(`[data-row="${waiting}"]`).waitFor();
  await signedIn();
  for (let n = 1; n <= 2; n++) {
    await start(workflowId);
    for (const page of pages.slice(1)) await pill(page).getByText(`${n} new`).waitFor();
  }
  await ada.api.patch(`${ada.space}/executions/${waiting}/respond`, { approved: true });
  await first.locator("header").getByText("Completed", { exact: true }).first().waitFor();
  // The streams of the former token have ended, and others go on.
  expect(streams).toBeGreaterThan(0);
  expect(guard.faults).toEqual([]);
  await context.close();
});
