import type { Locator, Page, Route } from "playwright-core";
import { type Json, newWorkflow } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { untilEnd, untilEvent } from "../support/follow.ts";
import { barriers, barriersInThemes } from "./support/barriers.ts";
import { visit } from "./support/browser.ts";
import { enter } from "./support/person.ts";
import { ada, browser, server } from "./support/scene.ts";

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
/** So many keys are pressed while a large run goes on. More would take the processor from the run. */
const KEYS = 60;

const addressOf = (id: string, query = "") => `${server.url}/w/${ada.slug}/s/${ada.workspaceId}/runs/${id}${query}`;
const rows = (page: Page) => page.getByRole("tree", { name: "Steps" }).getByRole("treeitem");

beforeAll(async () => {
  workflowId = await newWorkflow(ada.api, ada.space, { ...definition([]), ...LINES });
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
    // The graph fills the window, so the page itself does not scroll.
    expect(await page.evaluate("document.documentElement.scrollHeight - innerHeight")).toBe(0);
    await ada.api.patch(`${ada.space}/executions/${id}/respond`, { approved: true });
    await page.locator("header").getByText("Completed", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Retry" }).waitFor();
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("reads the steps once more if it reads that the run has ended before its events arrive", async () => {
    const { context, page, guard, quiet } = await visit(browser, server.url);
    await enter(context, server.url, ada);
    const id = await asking();
    const run = `${ada.space}/executions/${id}`;
    const { promise: follows, resolve } = Promise.withResolvers<Route>();
    await page.route(`**${run}/events*`, route => resolve(route));
    await page.goto(addressOf(id));
    const asks = rows(page).filter({ hasText: "Ask the manager" });
    await asks.getByText("Asks", { exact: true }).waitFor();
    const stream = await follows;
    await quiet();
    const { body: before } = await ada.api.get(`${run}/steps`);
    await ada.api.patch(`${run}/respond`, { approved: true });
    await untilEnd(ada.api, run);
    const { body: log } = await ada.api.get(`${run}/logs?order=desc`);
    const { seq, ...entry } = (log as Json[]).find(({ event }) => event === "execution.resumed");
    // The first event makes the page read the run, which has ended. The steps are those from before, as if read earlier.
    await page.route(`**${run}/steps*`, route => route.fulfill({ json: before }), { times: 1 });
    const body = `id: ${seq}\nevent: ${entry.event}\ndata: ${JSON.stringify({ seq, ...entry })}\n\n`;
    await stream.fulfill({ contentType: "text/event-stream", body });
    await page.locator("header").getByText("Completed", { exact: true }).first().waitFor();
    await asks.getByText("Completed", { exact: true }).waitFor();
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("draws steps at their places in the workflow, with the icon that the service names for a new type", async () => {
    const { context, page, guard } = await visit(browser, server.url);
    await enter(context, server.url, ada);
    const answer = async (route: Route, change: (text: string) => string) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: change(await response.text()) });
    };
    const renamed = (text: string) => text.replaceAll('"transform"', '"teleport"');
    await context.route(/\/(steps\?|versions\/)/, route => answer(route, renamed));
    await context.route("**/v1/node-types", route =>
      answer(route, text => renamed(text).replaceAll('"braces"', '"zap"')),
    );
    const placed = [
      node("first", "transform", { value: 1 }, { position: { x: 40, y: 80 } }),
      node("second", "transform", { value: 2 }, { position: { x: 440, y: -120 } }),
    ];
    const drawn = { ...definition([]), nodes: placed, edges: [{ source: "first", target: "second" }] };
    const of = await newWorkflow(ada.api, ada.space, drawn);
    const { body } = await ada.api.post(`${ada.space}/executions`, { workflowId: of });
    await page.goto(addressOf(body.id as string));
    const at = (id: string) => page.locator(`.react-flow__node[data-id=${id}]`).getAttribute("style");
    expect(await at("first")).toContain("translate(40px, 80px)");
    expect(await at("second")).toContain("translate(440px, -120px)");
    await page.locator(".react-flow__node[data-id=second] svg.lucide-zap").waitFor();
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("accepts an answer beside the graph, and shows one view at a time on a phone", async () => {
    const { context, page, guard } = await visit(browser, server.url);
    await enter(context, server.url, ada);
    await page.goto(addressOf(await asking()));
    await page.getByRole("button", { name: "Answer" }).click();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("heading", { name: "You approved" }).waitFor();
    await page.locator("header").getByText("Completed", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    // The text of a button without an edge begins where the title does.
    const startOf = (element: string) => `{
      const text = document.createRange();
      text.selectNodeContents(document.querySelector("main header ${element}"));
      text.getBoundingClientRect().left;
    }`;
    expect(await page.evaluate(startOf("a"))).toBe(await page.evaluate(startOf("h1")));
    await page.getByRole("tab", { name: "Steps", selected: true }).waitFor();
    await rows(page).nth(2).waitFor();
    expect(await rows(page).count()).toBe(3);
    await page.getByRole("tab", { name: "Graph" }).click();
    await page.getByRole("application").getByText("Ask the manager").waitFor();
    expect(await rows(page).count()).toBe(0);
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("shows which steps a retry keeps and which it runs before it starts", async () => {
    const { context, page, guard } = await visit(browser, server.url);
    await enter(context, server.url, ada);
    const steps = [
      node("read", "transform", { value: 1 }, { name: "Read the order" }),
      node("check", "transform", { value: "{{ $error('Out of stock') }}" }, { name: "Check stock" }),
      node("ship", "transform", { value: 2 }, { name: "Ship it" }),
    ];
    const id = await newWorkflow(ada.api, ada.space, definition(steps, "read > check", "check > ship"));
    const { body: run } = await ada.api.post(`${ada.space}/executions`, { workflowId: id });
    await untilEnd(ada.api, `${ada.space}/executions/${run.id as string}`);
    await page.goto(addressOf(run.id as string));
    await rows(page).nth(2).waitFor();
    // The run is over, so its last step waits for nothing.
    expect(await rows(page).last().innerText()).toMatch(/Ship it\s+Not started/);
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("menuitem", { name: "From the failed step" }).click();
    const dialog = page.getByRole("dialog", { name: "Retry this run?" });
    await dialog.getByRole("heading", { name: "2 steps run" }).waitFor();
    const kept = dialog.locator("section", { hasText: "1 step keeps its result" });
    expect(await kept.getByRole("listitem").allTextContents()).toEqual(["Read the order"]);
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByText("Started again").waitFor();
    await page.getByText("Retry of").waitFor();
    expect(page.url()).not.toContain(run.id as string);
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("shows rows as a table and long texts as text, and pins an output as a sample", async () => {
    const { context, page, guard } = await visit(browser, server.url);
    await enter(context, server.url, ada);
    const value = {
      letter: "Dear Bloom & Sons,\n\nyour order is on its way.\n",
      orders: "{{ [1..500].{'id': $, 'customer': 'Bloom & Sons', 'lines': [1, 2], 'paid': $ % 2 = 0} }}",
    };
    const id = await newWorkflow(ada.api, ada.space, definition([node("read", "transform", { value })]));
    const { body: run } = await ada.api.post(`${ada.space}/executions`, { workflowId: id });
    await untilEnd(ada.api, `${ada.space}/executions/${run.id as string}`);
    await page.goto(addressOf(run.id as string, "?n=read&tab=output"));
    const lines = page.getByRole("tree", { name: "Value" });
    await lines.getByText("orders:").click();
    await page.getByRole("button", { name: "Show as table" }).click();
    await page.getByRole("columnheader", { name: "customer" }).waitFor();
    expect(await page.locator("tbody tr").count()).toBeLessThan(100);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Show row 3 in the tree" }).click();
    await lines.locator("[aria-selected=true]").getByText("3:").waitFor();
    await lines.getByText("letter:").click();
    await page.getByRole("button", { name: "Show as text" }).click();
    expect(await page.getByRole("textbox", { name: "Text" }).inputValue()).toBe(value.letter);
    await page.getByRole("button", { name: "Show as tree" }).click();
    await page.getByRole("button", { name: "Pin as sample" }).click();
    await page.getByText("Pinned as the sample of read").waitFor();
    const { body: samples } = await ada.api.get(`${ada.space}/workflows/${id}/samples?nodeId=read`);
    expect(samples).toMatchObject([{ nodeId: "read", value: { letter: value.letter } }]);
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("zooms into a time range by dragging and by keyboard, and names the critical path", async () => {
    const { context, page, guard } = await visit(browser, server.url);
    await enter(context, server.url, ada);
    const id = await asking();
    await ada.api.patch(`${ada.space}/executions/${id}/respond`, { approved: true });
    await untilEnd(ada.api, `${ada.space}/executions/${id}`);
    await page.goto(addressOf(id, "?view=timeline"));
    const timeline = page.getByRole("list", { name: "Steps over time" });
    const bar = timeline.getByRole("button", { name: /^Ask the manager/ });
    await bar.waitFor();
    expect(await bar.textContent()).toContain("on the critical path");
    await page.getByText(/Critical path, 3 rows/).waitFor();
    const ruler = (await page.getByTitle(/^Drag to zoom in/).boundingBox())!;
    const y = ruler.y + ruler.height / 2;
    await page.mouse.move(ruler.x + 2, y);
    await page.mouse.down();
    await page.mouse.move(ruler.x + ruler.width * 0.2, y, { steps: 4 });
    await page.mouse.up();
    const shown = (url: string) => /[?&]z=(\d+)-(\d+)/.exec(url)?.slice(1).map(Number) ?? [0, Infinity];
    await page.waitForURL(url => Number.isFinite(shown(url.href)[1]));
    const end = shown(page.url())[1]!;
    await page.keyboard.press("-");
    await page.waitForURL(url => shown(url.href)[1]! > end);
    await page.keyboard.press("+");
    await page.waitForURL(url => Number.isFinite(shown(url.href)[1]));
    await page.reload();
    await page.getByRole("button", { name: "Show the whole run" }).click();
    await page.waitForURL(url => !url.searchParams.has("z"));
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("leads by keyboard to the failed item and its error", async () => {
    const { context, page, guard } = await visit(browser, server.url);
    await enter(context, server.url, ada);
    await page.goto(addressOf(await asking()));
    const tree = page.getByRole("tree", { name: "Steps" });
    await rows(page).nth(1).waitFor();
    await tree.focus();
    for (const key of ["ArrowDown", "ArrowDown", "Enter", "f"]) await page.keyboard.press(key);
    const failed = rows(page).filter({ hasText: "Item 4" });
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

  it("finds the failed items among 10,000 with three keys, and stays responsive while they run", async () => {
    const items = [
      node("ask", "human", { prompt: "Begin?" }),
      node("each", "map", { items: "{{ [1..10000] }}", concurrency: 50 }, { name: "Reserve each line" }),
      node(
        "stock",
        "transform",
        { value: "{{ item in [17, 5000, 9999] ? $error('Out of stock') : item }}" },
        { name: "Check stock", parentId: "each", policy: { onError: "continue" } },
      ),
    ];
    const id = await newWorkflow(ada.api, ada.space, definition(items, "ask > each"));
    const { body } = await ada.api.post(`${ada.space}/executions`, { workflowId: id });
    const path = `${ada.space}/executions/${body.id as string}`;
    await untilEvent(ada.api, path, "execution.suspended");
    const { context, page, guard } = await visit(browser, server.url);
    await enter(context, server.url, ada);
    await page.goto(addressOf(body.id as string));
    await rows(page).nth(1).waitFor();
    await ada.api.patch(`${path}/respond`, { approved: true });
    await rows(page).filter({ hasText: "of 10,000 items" }).waitFor();
    await page.getByRole("tree", { name: "Steps" }).focus();
    const ended = page.locator("header").getByText("Completed", { exact: true }).first();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    const first = page.getByText("Item 1", { exact: true });
    await rows(page).filter({ has: first }).waitFor();
    const selected = page.getByRole("tree", { name: "Steps" }).getByRole("treeitem", { selected: true });
    let most = 0;
    // Keys are answered while items run, on all of them and on the graph.
    for (let n = 0; n < KEYS && !(await ended.isVisible()); n++) {
      await page.keyboard.press(n % 2 === 0 ? "ArrowDown" : "ArrowUp");
      await selected.filter(n % 2 === 0 ? { has: first } : { hasText: "Reserve each line" }).waitFor();
      most = Math.max(most, await page.evaluate<number>("document.getElementsByTagName('*').length"));
    }
    await ended.waitFor({ timeout: 120_000 });
    most = Math.max(most, await page.evaluate<number>("document.getElementsByTagName('*').length"));
    expect(most).toBeLessThanOrEqual(1_500);
    await page.reload();
    await rows(page).nth(1).waitFor();
    await page.getByRole("tree", { name: "Steps" }).focus();
    for (const key of ["End", "Enter", "f"]) await page.keyboard.press(key);
    const shown = rows(page).filter({ hasText: /^Item/ });
    await shown.nth(2).waitFor();
    expect((await shown.allInnerTexts()).map(text => /^Item [\d,]+/.exec(text)?.[0])).toEqual(
      ["Item 17", "Item 5,000", "Item 9,999"].map(text => expect.stringMatching(text.replace(",", ",?"))),
    );
    const cdp = await context.newCDPSession(page);
    await cdp.send("HeapProfiler.collectGarbage");
    expect((await cdp.send("Runtime.getHeapUsage")).usedSize).toBeLessThan(150 * 2 ** 20);
    expect(guard.faults).toEqual([]);
    await context.close();
  }, 300_000);

  it.each([
    ["an output of nearly 256 KiB", "?n=large&tab=output", "rows", 4_000],
    ["an input of nearly 1 MiB", "?view=data&tab=input", "lines", 20_000],
  ])("shows %s, finds a text in it, and copies its place", async (_, query, key, count) => {
    const rowsOf = (n: number) => Array.from({ length: n }, (_each, at) => `row ${at}, of some forty characters or so`);
    const value = '{{ {"rows": [0..3999].("row " & $ & ", of some forty characters or so")} }}';
    const large = await newWorkflow(ada.api, ada.space, definition([node("large", "transform", { value })]));
    const { body } = await ada.api.post(`${ada.space}/executions`, {
      workflowId: large,
      input: { lines: rowsOf(20_000) },
    });
    await untilEnd(ada.api, `${ada.space}/executions/${body.id as string}`);
    const { context, page, guard } = await visit(browser, server.url);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await enter(context, server.url, ada);
    await page.goto(addressOf(body.id as string, query));
    const tree = page.getByRole("tree", { name: "Value" });
    await tree.getByText(`${key}:`).waitFor();
    await page.getByRole("searchbox", { name: "Search keys and values" }).fill(`row ${count - 1},`);
    await page.getByText("1 match", { exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await tree
      .getByRole("treeitem", { selected: true })
      .getByText(`row ${count - 1},`)
      .waitFor();
    // Of many thousand lines, those in sight are drawn.
    expect(await page.evaluate<number>("document.getElementsByTagName('*').length")).toBeLessThan(1_500);
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByRole("menuitem", { name: "Copy JSON Pointer" }).click();
    await page.getByText("Copied").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(`/${key}/${count - 1}`);
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("has no accessibility violations in either theme", async () => {
    const { context, page, guard } = await visit(browser, server.url);
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
      expect([query, await barriersInThemes(page)]).toEqual([query, []]);
    }
    expect(guard.faults).toEqual([]);
    await context.close();
  });
});
