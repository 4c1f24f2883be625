import { readFileSync } from "node:fs";
import type { BrowserContext, Page } from "playwright-core";
import { newWorkflow } from "../support/api.ts";
import { eventually } from "../support/executions.ts";
import { barriers } from "./support/barriers.ts";
import { visit, type Visit } from "./support/browser.ts";
import { enter } from "./support/person.ts";
import { ada, browser, server } from "./support/scene.ts";

const step = (id: string, x: number, data: object = { value: "{{ input }}" }) => ({
  id,
  type: "transform",
  name: id.toUpperCase(),
  position: { x, y: 0 },
  data,
});
const CHAIN = {
  nodes: [step("first", 0), step("second", 304), step("third", 608)],
  edges: [
    { source: "first", target: "second" },
    { source: "second", target: "third" },
  ],
};

interface Graph {
  nodes: { id: string; parentId?: string }[];
  edges: { source: string; sourceHandle?: string; target: string }[];
}

const addressOf = (id: string) => `${server.url}/w/${ada.slug}/s/${ada.workspaceId}/f/${id}`;
const canvas = (page: Page) => page.getByRole("application", { name: /^Workflow of/ });
const stored = async (id: string) => (await ada.api.get(`${ada.space}/workflows/${id}`)).body;

async function opened(id: string): Promise<Visit> {
  const seen = await visit(browser, server.url);
  await enter(seen.context, server.url, ada);
  await go(seen.page, id);
  return seen;
}
async function go(page: Page, id: string) {
  await page.goto(addressOf(id));
  await canvas(page).waitFor();
  await canvas(page).focus();
}
/** Waits until a dialog has given the focus back, so that keys walk along the canvas again. */
const atCanvas = (page: Page) => page.locator("[role=application]:focus").waitFor();
/** Adds a step by keys alone. */
async function add(page: Page, type: string) {
  await page.keyboard.press("n");
  // Keys that come before the dialog has the focus are for it, too.
  const options = page.getByRole("option");
  await options.first().waitFor();
  const all = await options.count();
  await page.keyboard.type(type);
  // The list has become shorter, so what is highlighted is what was typed.
  await options.nth(all - 1).waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await page.getByPlaceholder("What happens next?").waitFor({ state: "detached" });
  await atCanvas(page);
}
const said = (page: Page, text: string | RegExp) => page.locator("#builder-said").getByText(text).waitFor();
const save = async (page: Page, version: number) => {
  await page.keyboard.press("Control+s");
  await page.getByText(`Saved v${version}`).waitFor();
};
const typeName = (page: Page, name: string) => page.getByLabel("Name of the workflow").fill(name);
const kept = (page: Page) => page.getByText("Draft, kept here").waitFor();
const close = async (...contexts: BrowserContext[]) => void (await Promise.all(contexts.map(each => each.close())));

/** Whether the canvas shows every step as a whole. */
async function allInSight(page: Page): Promise<boolean> {
  const region = (await canvas(page).boundingBox())!;
  const nodes = await page.locator(".react-flow__node").all();
  const boxes = (await Promise.all(nodes.map(each => each.boundingBox()))).filter(box => box !== null);
  const fits = (from: number, size: number, start: number, room: number) =>
    from >= start && from + size <= start + room;
  return (
    boxes.length === nodes.length &&
    boxes.every(
      box => fits(box.x, box.width, region.x, region.width) && fits(box.y, box.height, region.y, region.height),
    )
  );
}

describe("the builder", () => {
  it("builds a workflow with branches, an inserted step and a container by keyboard alone, and stores it as built", async () => {
    const { context, page, guard } = await opened(await newWorkflow(ada.api, ada.space, null));
    const id = page.url().split("/f/")[1]!.split("?")[0]!;
    await add(page, "trigger");
    await add(page, "condition");
    await add(page, "transform");
    await said(page, "Added Transform after Condition");
    await page.keyboard.press("ArrowLeft");
    await add(page, "map");
    await page.keyboard.press("Enter");
    await page.getByPlaceholder("What happens next?").waitFor();
    await page.keyboard.type("code");
    await page.locator("[role=option][data-highlighted]").getByText("Code").first().waitFor();
    await page.keyboard.press("Enter");
    await said(page, /Added Code/);
    await atCanvas(page);
    // The first branch goes on to the second one.
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await said(page, /^Transform, Transform, no next step/);
    await page.keyboard.press("c");
    await page.keyboard.type("map");
    await page.locator("[role=option][data-highlighted]").getByText("Map").first().waitFor();
    await page.keyboard.press("Enter");
    await said(page, /^Connected Transform to Map/);
    await page.getByPlaceholder("Connect Transform to").waitFor({ state: "detached" });
    await atCanvas(page);
    // On the edge from the condition, a further step.
    await page.keyboard.press("ArrowLeft");
    await said(page, /^Condition, Condition, goes to/);
    await page.keyboard.press("e");
    await said(page, /^Condition, Yes, to Transform/);
    await add(page, "delay");
    await page.keyboard.press("1");
    await eventually(() => allInSight(page), "every step is in sight");
    await save(page, 2);
    const { nodes, edges } = (await stored(id)).definition as Graph;
    const paths = edges.map(({ source, sourceHandle = "out", target }) => `${source}.${sourceHandle}>${target}`);
    expect(paths.toSorted()).toEqual([
      "condition.false>map",
      "condition.true>delay",
      "delay.out>transform",
      "transform.out>map",
      "trigger.out>condition",
    ]);
    expect(nodes.map(node => [node.id, node.parentId])).toEqual([
      ["trigger", undefined],
      ["condition", undefined],
      ["transform", undefined],
      ["map", undefined],
      ["code", "map"],
      ["delay", undefined],
    ]);
    // Everything is undone, one by one, and done again.
    for (let n = 0; n < 12; n++) await page.keyboard.press("Control+z");
    await page.getByText("What should happen first?").waitFor();
    for (let n = 0; n < 12; n++) await page.keyboard.press("Control+Shift+z");
    await page.getByText("Saved v2").waitFor();
    expect(guard.faults).toEqual([]);
    await close(context);
  });

  it("creates no version when a template or an n8n import is opened and saved unchanged", async () => {
    const { body } = await ada.api.get("/v1/templates?limit=50");
    const made = await ada.api.post(`${ada.space}/workflows/from-template/${body[0].id}`, {});
    const document = JSON.parse(readFileSync("test/fixtures/n8n/batch-invoices.json", "utf8")) as object;
    const taken = await ada.api.post(`${ada.space}/workflows/import`, document);
    const ids = [made.body.id as string, taken.body.id as string];
    const { context, page } = await opened(ids[0]!);
    for (const id of ids) {
      await go(page, id);
      await page.getByText("Saved v1").waitFor();
      await page.keyboard.press("Control+s");
    }
    const versions = await Promise.all(ids.map(async id => (await stored(id)).version as number));
    expect(versions).toEqual(ids.map(() => 1));
    await close(context);
  });

  it("keeps edits and their undo history through a crash, and lets one tab edit at a time", async () => {
    const id = await newWorkflow(ada.api, ada.space, CHAIN);
    const { context, page } = await opened(id);
    await typeName(page, "Kept");
    await kept(page);
    const second = await context.newPage();
    await page.close({ runBeforeUnload: false });
    await go(second, id);
    await second.getByText(/Your draft from .* on this browser is restored/).waitFor();
    expect(await second.getByLabel("Name of the workflow").inputValue()).toBe("Kept");
    const third = await context.newPage();
    await go(third, id);
    await third.getByText("This workflow is open in another tab").waitFor();
    expect(await third.getByLabel("Name of the workflow").getAttribute("readonly")).not.toBeNull();
    await second.bringToFront();
    await typeName(second, "Kept later");
    await third.getByRole("button", { name: "Take over here" }).click();
    await third.getByText(/Your draft/).waitFor();
    await third.getByLabel("Name of the workflow").and(third.locator("input:not([readonly])")).waitFor();
    expect(await third.getByLabel("Name of the workflow").inputValue()).toBe("Kept later");
    await second.getByText("This workflow is open in another tab").waitFor();
    await canvas(third).focus();
    await third.keyboard.press("Control+z");
    await third.keyboard.press("Control+z");
    await third.getByText("Saved v1").waitFor();
    await close(context);
  });

  it("saves while a colleague deploys, merges changes of different fields, and asks about the same field", async () => {
    const id = await newWorkflow(ada.api, ada.space, CHAIN);
    const { context, page } = await opened(id);
    await ada.api.post(`${ada.space}/workflows/${id}/deploy`);
    await typeName(page, "Mine");
    await save(page, 2);
    const theirs = structuredClone(CHAIN);
    theirs.nodes[2]!.data = { value: "theirs" };
    await ada.api.patch(`${ada.space}/workflows/${id}`, { name: "Theirs", definition: theirs });
    await canvas(page).focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("d");
    await typeName(page, "Mine again");
    await page.keyboard.press("Control+s");
    const dialog = page.getByRole("dialog", { name: "Others changed this workflow" });
    await dialog.waitFor();
    await dialog.getByRole("listitem").getByText("THIRD", { exact: true }).waitFor();
    await dialog.locator("[data-id=third]").waitFor();
    expect(await dialog.locator("pre").allTextContents()).toEqual(["Mine again", "Theirs"]);
    await dialog.getByLabel("Take theirs").check();
    await dialog.getByRole("button", { name: "Merge and save" }).click();
    await page.getByText("Saved v4").waitFor();
    const { name, definition } = await stored(id);
    expect(name).toBe("Theirs");
    expect(definition.nodes[0].disabled).toBe(true);
    expect(definition.nodes[2].data).toEqual({ value: "theirs" });
    await close(context);
  });

  it("compares versions 3 and 7 on the canvas, and restores 3 as version 8", async () => {
    const id = await newWorkflow(ada.api, ada.space, CHAIN);
    const five = ["first", "second", "third", "fourth"].map((one, n) => step(one, n * 304));
    const change = (nodes: object[]) =>
      ada.api.patch(`${ada.space}/workflows/${id}`, { definition: { nodes, edges: [] } });
    const third = { nodes: five, edges: [] };
    await change(five.slice(0, 2));
    await change(five);
    const renewed = ["first", "second", "third"].map((one, n) => step(one, n * 304, { value: "new" }));
    await change([...renewed.slice(0, 1), ...five.slice(1)]);
    await change([...renewed.slice(0, 2), ...five.slice(2)]);
    await change([...renewed, five[3]!]);
    await change([...renewed, step("fifth", 912), step("sixth", 1216)]);
    const { context, page, guard } = await opened(id);
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Versions" }).click();
    await page.getByText("v6 compared with v7").waitFor();
    await page.goto(`${addressOf(id)}/versions?v=7&from=3`);
    await page.getByText("v3 compared with v7").waitFor();
    const list = page.getByRole("region", { name: "6 differences" });
    await list.getByText("SIXTH").first().waitFor();
    const rows = await list.getByRole("button", { name: /^(added|removed|changed)/ }).allTextContents();
    const expected = ["addedFIFTH", "addedSIXTH", "changedFIRST", "changedSECOND", "changedTHIRD", "removedFOURTH"];
    expect(rows.toSorted()).toEqual(expected);
    const marked = page.locator(".react-flow__node [data-mark]");
    await marked.nth(5).waitFor();
    const marks = await marked.evaluateAll(all =>
      all.map(one => (one as unknown as { dataset: { mark: string } }).dataset.mark),
    );
    expect(marks.toSorted()).toEqual(["added", "added", "changed", "changed", "changed", "removed"]);
    await page.keyboard.press("j");
    expect(await barriers(page)).toEqual([]);
    await page.getByRole("navigation", { name: "Versions" }).getByRole("button", { name: /^v3/ }).click();
    await page.getByRole("button", { name: "Restore as v8" }).click();
    await page.getByText("Saved v8").waitFor();
    expect((await stored(id)).definition).toEqual(third);
    expect(guard.faults).toEqual([]);
    await close(context);
  });

  it("has no accessibility violations on the canvas and in the outline", async () => {
    const { context, page, guard } = await opened(await newWorkflow(ada.api, ada.space, CHAIN));
    await page.keyboard.press("Home");
    await page.getByRole("complementary", { name: "FIRST" }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press("o");
    const outline = page.getByRole("listbox", { name: "Outline" });
    await outline.getByText("goes to SECOND").waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    expect(await barriers(page)).toEqual([]);
    expect(guard.faults).toEqual([]);
    await close(context);
  });
});
