import type { Page } from "playwright-core";
import { newWorkflow } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { untilEnd } from "../support/follow.ts";
import { barriers, barriersInThemes } from "./support/barriers.ts";
import { visit, type Visit } from "./support/browser.ts";
import { enter } from "./support/person.ts";
import { ada, browser, server } from "./support/scene.ts";

let [first, second] = ["", ""];

const LINES = {
  nodes: [
    node(
      "read",
      "transform",
      { value: { lines: "{{ [1..12] }}", customer: "{{ input.customer }}" } },
      { name: "Read" },
    ),
    node("tell", "transform", { value: "told" }, { name: "Tell the shop" }),
    node("each", "map", { items: "{{ steps.read.lines }}" }, { name: "Reserve each line" }),
    node(
      "stock",
      "transform",
      { value: { left: "{{ item = input.missing ? $error('Out of stock') : item }}", of: "line {{ item }}" } },
      { name: "Check stock", parentId: "each", policy: { onError: "continue" } },
    ),
    node(
      "ship",
      "transform",
      { value: "{{ input.missing > 5 ? $error('Nothing to ship') : 'on its way' }}" },
      { name: "Ship" },
    ),
  ],
  edges: [
    { source: "read", target: "tell" },
    { source: "tell", target: "each" },
    { source: "each", target: "ship" },
  ],
};

async function run(workflowId: string, input: object): Promise<string> {
  const { body } = await ada.api.post(`${ada.space}/executions`, { workflowId, input });
  await untilEnd(ada.api, `${ada.space}/executions/${body.id as string}`);
  return body.id as string;
}

async function opened(path: string, options: Parameters<typeof visit>[2] = {}): Promise<Visit> {
  const visited = await visit(browser, server.url, options);
  await enter(visited.context, server.url, ada);
  await visited.page.goto(`${server.url}/w/${ada.slug}${path}`);
  return visited;
}

beforeAll(async () => {
  const workflowId = await newWorkflow(ada.api, ada.space, { ...definition([]), ...LINES });
  first = await run(workflowId, { customer: "Bloom & Sons", missing: 0 });
  second = await run(workflowId, { customer: "Bloom & Sons", missing: 7 });
});

const steps = (page: Page) => page.getByRole("list", { name: "Steps" });

describe("two runs", () => {
  it("can be selected in the list, and are compared with their differences first", async () => {
    const { context, page, guard } = await opened("/runs");
    for (const id of [first, second]) await page.locator(`[data-row="${id}"]`).getByRole("checkbox").check();
    await page.getByRole("link", { name: "Compare" }).click();
    await page.waitForURL(`**/runs/${first}/vs/${second}`);
    await steps(page).getByText("Nothing to ship").waitFor({ state: "detached" });
    await page.getByText("3 changed · 13 equal").waitFor();
    // Equal steps are folded, and open at a press.
    const rows = steps(page).getByRole("listitem");
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringContaining("2 equal steps"),
      expect.stringMatching(/Reserve each line.*/s),
      expect.stringMatching(/Check stock\s+Item 7/s),
      expect.stringMatching(/Ship.*Completed.*→.*Failed/s),
    ]);
    await page.getByRole("button", { name: "2 equal steps" }).click();
    await rows.filter({ hasText: "Tell the shop" }).waitFor();
    await rows.filter({ hasText: "Ship" }).getByRole("button").click();
    await page.getByText("Nothing to ship").first().waitFor();
    const input = page.getByRole("list", { name: "Input" }).getByRole("listitem");
    expect(await input.allInnerTexts()).toEqual([expect.stringMatching(/\/missing\s+0\s*→\s*7/)]);
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("can be swapped, and a retry of the failed run links back to the comparison", async () => {
    const { context, page, guard } = await opened(`/runs/${first}/vs/${second}`);
    await page.getByRole("button", { name: "Swap" }).click();
    await page.waitForURL(`**/runs/${second}/vs/${first}`);
    await page.getByRole("region", { name: "First run" }).getByRole("button", { name: "Retry" }).click();
    await page.getByRole("button", { name: "Compare with the previous run" }).click();
    await page.waitForURL(new RegExp(`/runs/${second}/vs/(?!${first})`));
    await page.getByText("Both ran version 1.").waitFor();
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("have no accessibility violations in both themes", async () => {
    const { context, page, guard } = await opened(`/runs/${first}/vs/${second}`);
    for (const name of ["Reserve each line", "Ship"]) {
      await steps(page)
        .getByRole("button", { name: new RegExp(name) })
        .click();
    }
    expect(await barriersInThemes(page)).toEqual([]);
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("show a message when they do not exist", async () => {
    const { context, page, guard } = await opened(`/runs/${first}/vs/${ada.workspaceId}`);
    guard.allow(/404/);
    await page.getByRole("alert").getByText("Not found").waitFor();
    // The one that is there stays in sight.
    await page.getByRole("region", { name: "First run" }).getByRole("button", { name: "Retry" }).waitFor();
    await context.close();
  });
});

describe("the search of a run", () => {
  const runPage = (id: string) => `/s/${ada.workspaceId}/runs/${id}`;

  it("opens by its shortcut, and leads to the value that contains the text", async () => {
    const { context, page, guard } = await opened(runPage(second));
    await page.getByRole("tree", { name: "Steps" }).getByRole("treeitem").first().waitFor();
    await page.keyboard.press("Control+f");
    await page.locator("input:focus").waitFor();
    await page.keyboard.type("LINE 9");
    const places = page.getByRole("list", { name: "Places" }).getByRole("listitem");
    await places.first().waitFor();
    expect(await places.allInnerTexts()).toEqual([expect.stringMatching(/Check stock\s+Item 9\s+\/of\s+line 9/)]);
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press("Tab");
    await places.getByRole("button").click();
    await page.getByRole("complementary", { name: "Step Check stock" }).getByText('"line 9"').waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      ...{ n: "stock", p: "each:8", tab: "output", at: "/of" },
    });
    const value = page.getByRole("tree", { name: "Value" });
    await value.getByRole("treeitem", { selected: true }).getByText("of:").waitFor();
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("finds text in the run's input, and says when nothing is found", async () => {
    const { context, page, guard } = await opened(runPage(first));
    await page.getByRole("tree", { name: "Steps" }).getByRole("treeitem").first().waitFor();
    await page.keyboard.press("Control+f");
    await page.locator("input:focus").waitFor();
    await page.keyboard.type("nothing like this");
    await page.getByText("This run does not contain this text").waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("bloom");
    await page.getByRole("button", { name: /Input of the run/ }).click();
    await page.getByRole("tree", { name: "Value" }).getByText('"Bloom & Sons"').waitFor();
    expect(new URL(page.url()).searchParams.get("view")).toBe("data");
    expect(guard.faults).toEqual([]);
    await context.close();
  });
});

it("filters are kept as a view, found again, changed, renamed, and deleted", async () => {
  const { context, page, guard } = await opened("/runs?status=failed");
  const views = (name: string) => page.getByRole("button", { name, exact: true });
  await views("Views").click();
  await page.getByRole("menuitem", { name: "Save this view" }).click();
  const dialog = page.getByRole("dialog", { name: "Save the filters as a view" });
  await dialog.getByLabel("Name").fill("What failed");
  await dialog.getByLabel("For everyone in the workspace").check();
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Save" }).click();
  await views("What failed").waitFor();
  await page.goto(`${server.url}/w/${ada.slug}/runs`);
  await views("Views").click();
  await page.getByRole("menuitemcheckbox", { name: "What failed" }).click();
  await page.waitForURL("**/runs?status=failed");
  await page.getByRole("button", { name: "Waiting", exact: true }).click();
  await views("What failed, changed").click();
  await page.getByRole("menuitem", { name: "Update “What failed” with these filters" }).click();
  await views("What failed").click();
  await page.getByRole("menuitem", { name: "Edit “What failed”" }).click();
  const edit = page.getByRole("dialog", { name: "Edit “What failed”" });
  await edit.getByLabel("Name").fill("What needs care");
  await edit.getByRole("button", { name: "Save" }).click();
  await views("What needs care").waitFor();
  await page.goto(`${server.url}/w/${ada.slug}/runs`);
  await views("Views").click();
  await page.getByRole("menuitemcheckbox", { name: "What needs care" }).click();
  await page.waitForURL(url => /failed/.test(url.search) && /suspended|waiting/.test(url.search));
  await views("What needs care").click();
  await page.getByRole("menuitem", { name: "Delete “What needs care”" }).click();
  await views("Views").waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});
