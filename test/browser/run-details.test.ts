import type { Browser, Page } from "playwright-core";
import { newWorkflow } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { untilEnd } from "../support/follow.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";
import { until } from "../support/until.ts";
import { barriers } from "./support/barriers.ts";
import { openBrowser, visit } from "./support/browser.ts";
import { enter, newPerson, type Person } from "./support/person.ts";

let server: Server;
let browser: Browser;
let ada: Person;
let workflowId: string;
let id: string;

const RETRY = { retry: { maxAttempts: 2, initialMs: 0 } };

beforeAll(async () => {
  [server, browser] = await Promise.all([sharedServer(), openBrowser()]);
  ada = await newPerson(server.url);
  const child = await newWorkflow(ada.api, ada.space, definition([gives("price", 72)]));
  const steps = [
    node("sub", "subworkflow", { workflowId: child }, { name: "Ask the shop" }),
    node("flaky", "code", { code: "throw new Error('The shop is closed')" }, { name: "Reserve", policy: RETRY }),
  ];
  workflowId = await newWorkflow(ada.api, ada.space, definition(steps, "sub > flaky"));
  const { body } = await ada.api.post(`${ada.space}/executions`, { workflowId });
  id = body.id as string;
  await untilEnd(ada.api, `${ada.space}/executions/${id}`);
});
afterAll(() => browser?.close());

async function opened(path: string, options: Parameters<typeof visit>[2] = {}) {
  const visited = await visit(browser, server.url, options);
  await enter(visited.context, server.url, ada);
  await visited.page.goto(`${server.url}/w/${ada.slug}${path}`);
  return visited;
}
const runPath = (query = "") => `/s/${ada.workspaceId}/runs/${id}${query}`;
const rows = (page: Page) => page.getByRole("tree", { name: "Steps" }).getByRole("treeitem");

describe("a step of a run", () => {
  it("shows its attempts, its log, and the steps of the run that it started", async () => {
    const { context, page, guard } = await opened(runPath("?n=flaky"));
    const inspector = page.getByRole("complementary", { name: "Step Reserve" });
    await inspector.getByRole("tab", { name: "Attempts" }).click();
    const attempts = inspector.getByRole("group", { name: "Attempts" }).getByRole("listitem");
    await attempts.nth(1).waitFor();
    expect(await attempts.allTextContents()).toEqual([
      expect.stringMatching(/Attempt 1 of 2.*retried.*The shop is closed/),
      expect.stringMatching(/Attempt 2 of 2.*The shop is closed/),
    ]);
    await inspector.getByRole("tab", { name: "Log" }).click();
    await inspector.getByRole("group", { name: "Log" }).getByText('Step "flaky" started.').first().waitFor();
    expect(await barriers(page)).toEqual([]);

    await page.getByRole("tree", { name: "Steps" }).focus();
    await page.keyboard.press("Enter");
    await rows(page).filter({ hasText: "Attempt 2" }).waitFor();
    await rows(page)
      .filter({ hasText: /Attempt 1.*The shop is closed/ })
      .waitFor();
    await page.keyboard.press("Enter");
    await rows(page).filter({ hasText: "Attempt 1" }).waitFor({ state: "detached" });

    await rows(page).filter({ hasText: "Ask the shop" }).click();
    await page.getByRole("tree", { name: "Steps" }).focus();
    await page.keyboard.press("Enter");
    await rows(page).getByRole("button", { name: "price", includeHidden: true }).waitFor();
    await page.getByRole("button", { name: "Open the run that it started" }).click();
    await page.waitForURL(url => !url.pathname.endsWith(id));
    await page.getByRole("button", { name: "Open the parent run" }).waitFor();
    expect(guard.faults).toEqual([]);
    await context.close();
  });
});

describe("a run that was retried", () => {
  it("shows the chain of its retries, and leads to each of them", async () => {
    const retry = async (of: string) => {
      const { body } = await ada.api.post(`${ada.space}/executions/${of}/retry`, { fromStart: true });
      await untilEnd(ada.api, `${ada.space}/executions/${body.id as string}`);
      return body.id as string;
    };
    const second = await retry(id);
    const third = await retry(second);
    const { context, page, guard } = await opened(`/s/${ada.workspaceId}/runs/${second}`);
    const links = page.getByRole("button", { name: /^Attempt \d, Failed$/ });
    await links.nth(2).waitFor();
    expect(await links.allTextContents()).toEqual(["1 Failed", "2 Failed", "3 Failed"]);
    await links.nth(2).click();
    await page.waitForURL(url => url.pathname.endsWith(third));
    await page.getByRole("button", { name: "Attempt 1, Failed" }).click();
    await page.waitForURL(url => url.pathname.endsWith(id));
    expect(guard.faults).toEqual([]);
    await context.close();
  });
});

describe("a run with several questions", () => {
  it("shows their forms side by side, and who answered first", async () => {
    const steps = ["pack", "ship"].map(step => node(step, "human", { prompt: `May we ${step} it?` }, { name: step }));
    const { body } = await ada.api.post(`${ada.space}/executions`, {
      workflowId: await newWorkflow(ada.api, ada.space, definition(steps)),
    });
    const path = `${ada.space}/executions/${body.id as string}`;
    await until(async () => ((await ada.api.get(path)).body.suspensions as unknown[] | undefined)?.length === 2);
    const { context, page, guard } = await opened(`/s/${ada.workspaceId}/runs/${body.id as string}`);
    guard.allow(/status of 409/);
    await page.getByRole("button", { name: "Answer all 2" }).click();
    const dialog = page.getByRole("dialog", { name: "2 questions" });
    const [pack, ship] = ["pack", "ship"].map(step => dialog.getByRole("region", { name: `May we ${step} it?` }));
    await ship!.getByRole("button", { name: "Approve" }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await pack!.getByRole("button", { name: "Approve" }).click();
    await pack!.getByRole("heading", { name: "You approved" }).waitFor();
    await ada.api.patch(`${path}/respond`, { nodeId: "ship", approved: false });
    await ship!.getByRole("button", { name: "Approve" }).click();
    await ship!.getByRole("heading", { name: "You rejected" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator("header").getByText("Completed", { exact: true }).first().waitFor();
    expect(guard.faults).toEqual([]);
    await context.close();
  });
});

describe("a run with a map", () => {
  it("goes to an item by its number, and narrows the log to one", async () => {
    const steps = [
      node("each", "map", { items: "{{ [1..30] }}" }, { name: "Each line" }),
      node("stock", "transform", { value: "{{ item }}" }, { name: "Check stock", parentId: "each" }),
    ];
    const { body } = await ada.api.post(`${ada.space}/executions`, {
      workflowId: await newWorkflow(ada.api, ada.space, definition(steps)),
    });
    const run = body.id as string;
    await untilEnd(ada.api, `${ada.space}/executions/${run}`);
    const { context, page, guard } = await opened(`/s/${ada.workspaceId}/runs/${run}`);
    const number = page.getByRole("textbox", { name: "Number of the item or round of Each line" });
    await number.fill("18");
    await number.press("Enter");
    await page.waitForURL(/p=each(:|%3A)17/);
    await number.fill("31");
    await number.press("Enter");
    expect(await number.inputValue()).toBe("18");
    expect(await barriers(page)).toEqual([]);
    await page.getByRole("tab", { name: "Log" }).first().click();
    const entries = page.getByRole("grid", { name: "Log" }).getByRole("row");
    await page.getByRole("button", { name: "each #4", includeHidden: true }).first().click();
    await page.waitForURL(/item=each(:|%3A)3/);
    await entries.filter({ hasText: "each #5" }).first().waitFor({ state: "detached" });
    for (const text of await entries.allTextContents()) expect(text).toContain("each #4");
    await page.getByRole("button", { name: "All items" }).click();
    await entries.filter({ hasText: "each #5" }).first().waitFor();
    expect(guard.faults).toEqual([]);
    await context.close();
  });
});

describe("the log of a run", () => {
  it("can be filtered by text and step, and the URL keeps the filters", async () => {
    const { context, page, guard } = await opened(runPath("?view=log"));
    const entries = page.getByRole("grid", { name: "Log" }).getByRole("row");
    await entries.first().waitFor();
    await page.getByRole("searchbox", { name: "Search messages" }).fill("completed");
    await page.waitForURL(/q=completed/);
    await entries.filter({ hasNotText: "completed" }).first().waitFor({ state: "detached" });
    await page.goto(`${server.url}/w/${ada.slug}${runPath("?view=log&of=flaky&level=problems")}`);
    await entries.first().waitFor();
    for (const text of await entries.allTextContents()) expect(text).toContain("Reserve");
    await page.getByRole("searchbox", { name: "Search messages" }).fill("nothing like this");
    await page.getByText("No entry matches").waitFor();
    await page.getByRole("button", { name: "Show all entries" }).click();
    await entries.filter({ hasText: "The run started." }).waitFor();
    expect(guard.faults).toEqual([]);
    await context.close();
  });
});

describe("the frame of a page", () => {
  it("offers sibling pages in the breadcrumb, and moves through lists by letter keys", async () => {
    const { context, page, guard } = await opened(runPath());
    await page.getByRole("button", { name: "Switch from A workflow" }).click();
    const choices = page.getByRole("menuitemcheckbox");
    await choices.first().waitFor();
    // The run and its two retries.
    expect(await choices.count()).toBe(3);
    await page.keyboard.press("Escape");
    await page.goto(`${server.url}/w/${ada.slug}/workflows`);
    await page.getByRole("link", { name: "A workflow" }).nth(1).waitFor();
    const focused = () => page.evaluate<string>("document.activeElement.closest('[data-row]')?.dataset.row ?? ''");
    await page.keyboard.press("j");
    const first = await focused();
    await page.keyboard.press("j");
    const second = await focused();
    await page.keyboard.press("k");
    expect([first === "", first === second, await focused()]).toEqual([false, false, first]);
    const row = "main :is([data-row], [data-rows] > *)";
    const lists = ["/templates", "/settings/audit", "/settings/spaces"].map(path => `/w/${ada.slug}${path}`);
    for (const path of [...lists, "/me/notifications"]) {
      await page.goto(server.url + path);
      await page.locator(row).first().waitFor();
      await page.keyboard.press("j");
      expect([path, await page.evaluate(`document.activeElement.closest("${row}") !== null`)]).toEqual([path, true]);
    }
    await page.goto(`${server.url}/w/${ada.slug}/workflows`);
    await page
      .getByRole("button", { name: /^Switch from / })
      .last()
      .click();
    await page.getByRole("menuitemcheckbox", { name: "Approvals" }).click();
    await page.waitForURL(/\/approvals$/);
    await page.getByRole("button", { name: "Switch from Analytical Engines" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Analytical Engines" }).click();
    await page.waitForURL(url => url.pathname === `/w/${ada.slug}`);
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("keeps its content while the service is unavailable, and shows how old it is", async () => {
    const { context, page, guard } = await opened("/runs");
    guard.allow(/503/);
    await page.getByRole("table", { name: "Runs" }).getByRole("row").nth(1).waitFor();
    const problem = { status: 503, code: "unavailable", title: "Unavailable", detail: "Later.", requestId: "r-1" };
    const isList = (url: URL) => url.pathname === `/v1/workspaces/${ada.workspaceId}/executions`;
    await context.route(isList, route =>
      route.fulfill({ status: 503, contentType: "application/problem+json", body: JSON.stringify(problem) }),
    );
    // A new run makes the page ask for the newest runs.
    await ada.api.post(`${ada.space}/executions`, { workflowId });
    const bar = page.getByText(/^The service does not answer\. Shown as of \d\d:\d\d/);
    await bar.waitFor();
    await page.getByRole("table", { name: "Runs" }).getByRole("row").nth(1).waitFor();
    await context.unroute(isList);
    await bar.waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^\d new/ }).waitFor();
    expect(guard.faults).toEqual([]);
    await context.close();
  });
});

test("the playground says no longer that a message could not be sent once the service answers", async () => {
  const agent = node("agent", "agent", { goal: "{{ input.question }}" });
  const of = await newWorkflow(ada.api, ada.space, definition([agent]));
  const { context, page, guard } = await opened(`/playground?flow=${of}`);
  guard.allow(/ERR_FAILED/);
  await page.route("**/executions", route => route.abort());
  await page.getByRole("textbox", { name: "Message" }).fill("What can you do?");
  await page.keyboard.press("Enter");
  const notice = page.getByRole("alert").getByText("Weft cannot be reached");
  await notice.waitFor();
  await notice.waitFor({ state: "detached" });
  expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("What can you do?");
  expect(guard.faults).toEqual([]);
  await context.close();
});

test("a message in the playground can have several lines on a touch screen", async () => {
  const of = await newWorkflow(
    ada.api,
    ada.space,
    definition([node("agent", "agent", { goal: "{{ input.question }}" })]),
  );
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const { context, page, guard } = await opened(`/playground?flow=${of}`, phone);
  const message = page.getByRole("textbox", { name: "Message" });
  await message.fill("One");
  await message.press("Enter");
  await message.press("a");
  expect(await message.inputValue()).toBe("One\na");
  expect(guard.faults).toEqual([]);
  await context.close();
});

describe("a run that waits", () => {
  it("keeps the step where it is in sight in the list of steps, until the user scrolls", async () => {
    const chain = (name: string, n: number) => Array.from({ length: n }, (_, at) => gives(`${name}${at}`, at));
    const asks = ["one", "two", "three"].map(id => node(id, "human", { prompt: id }, { name: `Asks ${id}` }));
    const steps = [...chain("a", 40), asks[0]!, ...chain("b", 40), asks[1]!, ...chain("c", 40), asks[2]!];
    const edges = steps.slice(1).map(({ id: next }, n) => {
      const { id: last, type } = steps[n]!;
      return `${last}${type === "human" ? ":approved" : ""} > ${next}`;
    });
    const long = await newWorkflow(ada.api, ada.space, definition(steps, ...edges));
    const run = (await ada.api.post(`${ada.space}/executions`, { workflowId: long })).body.id as string;
    const { context, page, guard } = await opened(`/s/${ada.workspaceId}/runs/${run}`);
    const tree = page.getByRole("tree", { name: "Steps" });
    const inSight = async (name: string) => {
      const [row, all] = [rows(page).filter({ hasText: name }), (await tree.boundingBox())!];
      const at = (await row.count()) > 0 ? await row.boundingBox() : undefined;
      return at !== null && at !== undefined && at.y >= all.y && at.y + at.height <= all.y + all.height;
    };
    const answer = () => ada.api.patch(`${ada.space}/executions/${run}/respond`, { approved: true });
    await until(() => inSight("Asks one"));
    await answer();
    await until(() => inSight("Asks two"));
    await tree.hover();
    await page.mouse.wheel(0, -10_000);
    await until(() => inSight("a0"));
    await answer();
    await page.getByText("three", { exact: true }).first().waitFor();
    expect(await inSight("a0")).toBe(true);
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("says why it is in the queue and how many runs come first, and how long a step waits", async () => {
    const waits = definition([node("wait", "delay", { ms: 3_600_000 }, { name: "Let it rest" })]);
    const settings = { concurrency: { limit: 1 } };
    const waiting = await newWorkflow(ada.api, ada.space, { ...waits, settings });
    const start = async () =>
      (await ada.api.post(`${ada.space}/executions`, { workflowId: waiting })).body.id as string;
    const first = await start();
    const stateOf = async (run: string) => (await ada.api.get(`${ada.space}/executions/${run}/steps`)).body;
    await until(async () => JSON.stringify(await stateOf(first)).includes('"waiting"'));
    await start();
    const third = await start();
    const { context, page, guard } = await opened(`/s/${ada.workspaceId}/runs/${third}`);
    await page
      .getByText(
        "In the queue. 1 run is before it. Its workflow has reached the limit of runs in its settings. It starts when one of them ends.",
      )
      .waitFor();
    await page.goto(`${server.url}/w/${ada.slug}/s/${ada.workspaceId}/runs/${first}`);
    const graph = page.locator("[data-id=wait]");
    await graph.getByText(/^Continues in (5\d min|1 h)/).waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(guard.faults).toEqual([]);
    await context.close();
  });
});
