import type { Locator, Page } from "playwright-core";
import { newWorkflow } from "../support/api.ts";
import { until } from "../support/until.ts";
import { visit, type Visit } from "./support/browser.ts";
import { canvas } from "./support/hand.ts";
import { enter } from "./support/person.ts";
import { ada, browser, server } from "./support/scene.ts";

const step = (id: string, x: number, value: unknown, more: object = {}) => ({
  ...{ id, type: "transform", name: id, position: { x, y: 60 }, data: { value } },
  ...more,
});
const start = { ...step("start", 0, null), type: "trigger", data: { example: { lines: [1, 0, 2, 0] } } };

async function opened(id: string, prepare: (seen: Visit) => Promise<void> = () => Promise.resolve()): Promise<Visit> {
  const seen = await visit(browser, server.url);
  await prepare(seen);
  await enter(seen.context, server.url, ada);
  await seen.page.goto(`${server.url}/w/${ada.slug}/s/${ada.workspaceId}/f/${id}`);
  await canvas(seen.page).getByText("Trigger").waitFor();
  await canvas(seen.page).focus();
  return seen;
}

/** Where the canvas is, once it has come to rest. */
const restingPlace = (page: Page): Promise<string> =>
  page.evaluate(`new Promise(done => {
    const place = () => document.querySelector(".react-flow__viewport").getAttribute("style");
    let [last, same] = [place(), 0];
    const look = () => {
      same = place() === last ? same + 1 : 0;
      last = place();
      if (same > 20) done(last);
      else requestAnimationFrame(look);
    };
    look();
  })`);

const node = (page: Page, id: string) => page.locator(`.react-flow__node[data-id=${id}]`);

it("undo restores the view at the edit, faults are counted, and a refused connection says why", async () => {
  const id = await newWorkflow(ada.api, ada.space, {
    nodes: [
      start,
      step("far", 4_000, 1),
      { ...step("call", 300, null), type: "http", data: {}, position: { x: 300, y: 260 } },
    ],
    edges: [{ source: "start", target: "far" }],
  });
  const { page, context, guard } = await opened(id);
  await page.keyboard.press("Home");
  await page.locator(".react-flow__node.selected[data-id=start]").waitFor();
  const before = await restingPlace(page);
  await page.keyboard.press("d");
  await node(page, "start").getByText("Disabled").waitFor();
  await page.keyboard.press("ArrowRight");
  await page.locator(".react-flow__node.selected[data-id=far]").waitFor();
  expect(await restingPlace(page)).not.toBe(before);
  await canvas(page).focus();
  await page.keyboard.press("Control+z");
  await page.locator(".react-flow__node.selected[data-id=start]").waitFor();
  expect(await restingPlace(page)).toBe(before);
  await page.keyboard.press("Control+Shift+z");
  await page.locator(".react-flow__node.selected[data-id=far]").waitFor();
  const save = page.getByRole("button", { name: "Save", exact: true });
  await save.and(page.locator("[aria-description='1 problem']")).waitFor();
  await page
    .getByRole("button", { name: /^Deploy v/ })
    .and(page.locator("[aria-description='1 problem']"))
    .waitFor();

  await page.keyboard.press("Control+z");
  await node(page, "call").locator(".source").hover();
  await page.mouse.down();
  await node(page, "start").hover();
  await page.locator(".react-flow__connection-path").waitFor();
  await node(page, "start").hover({ position: { x: 40, y: 20 } });
  await page.getByText("Runs start here, so nothing can lead to it").first().waitFor();
  await page.mouse.up();
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("the problems name their steps and fields, also where the workflow is deployed", async () => {
  const call = { ...step("call", 300, null), type: "http", name: "Ask the shop", data: { url: "" } };
  const id = await newWorkflow(ada.api, ada.space, { nodes: [start, call], edges: [] });
  const { page, context, guard } = await opened(id);
  const fault = /Ask the shop.*Must not be empty.*URL/;
  await page.getByRole("button", { name: /^\d+ problem/ }).click();
  const row = page.getByRole("region", { name: "Problems" }).getByRole("button", { name: fault });
  await row.click();
  // Where the inspector of the step covers the canvas, the problems are in front of it.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("textbox", { name: "Name of the step" }).waitFor();
  await row.click();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: /^Deploy v/ }).click();
  await page.getByRole("dialog").getByRole("listitem").filter({ hasText: fault }).waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("one press leads from a failed run to the step that failed", async () => {
  const far = step("far", 6_000, "{{ $error('No stock') }}");
  const edges = [{ source: "start", target: "far" }];
  const id = await newWorkflow(ada.api, ada.space, { nodes: [start, far], edges });
  const { page, context, guard } = await opened(id);
  await page.keyboard.press("Control+Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Run" }).click();
  await page.getByRole("button", { name: "Show the failed step" }).click();
  await page.locator(".react-flow__node.selected[data-id=far]").waitFor();
  await restingPlace(page);
  const isInSight = async () => {
    const { x, width } = (await node(page, "far").boundingBox())!;
    const area = (await canvas(page).boundingBox())!;
    return x > area.x && x + width < area.x + area.width;
  };
  expect(await isInSight()).toBe(true);
  // The step is selected already, and the user has moved away from it.
  await canvas(page).hover({ position: { x: 80, y: 500 } });
  await page.mouse.down();
  await canvas(page).hover({ position: { x: 700, y: 500 } });
  await page.mouse.up();
  expect(await isInSight()).toBe(false);
  await page.getByRole("button", { name: "Show the failed step" }).click();
  await restingPlace(page);
  expect(await isInSight()).toBe(true);
  // Beside the inspector, the message gives way to the buttons.
  const buttons = await page.locator("[data-run]").locator("a, button").all();
  const tops = new Set(await Promise.all(buttons.map(async each => (await each.boundingBox())?.y)));
  expect(tops.size).toBe(1);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Close", exact: true }).click();
  const strip = (await page.locator("[data-run]").boundingBox())!;
  expect(strip.x + strip.width).toBeLessThan(390);
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("an edge leads from a step to the one that compensates for it, and cannot be selected or deleted", async () => {
  const charge = { ...step("charge", 300, 1), name: "Charge the card", policy: { compensate: "refund" } };
  const refund = { ...step("refund", 600, 2), name: "Refund it", position: { x: 600, y: 260 } };
  const edges = [{ source: "start", target: "charge" }];
  const id = await newWorkflow(ada.api, ada.space, { nodes: [start, charge, refund], edges });
  const { page, context, guard } = await opened(id);
  const edge = page.locator('.react-flow__edge[data-id="undo charge"]');
  await edge.getByText("Undone by").waitFor();
  expect(await page.locator(".react-flow__edge").count()).toBe(2);
  await page.keyboard.press("Home");
  await page.keyboard.press("e");
  await page.locator('.react-flow__edge.selected:not([data-id="undo charge"])').waitFor();
  await page.keyboard.press("Delete");
  await page.waitForFunction("document.querySelectorAll('.react-flow__edge').length === 1");
  expect(await edge.isVisible()).toBe(true);
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("a type that the page does not know can be found, added and set up by the service's catalogue", async () => {
  const id = await newWorkflow(ada.api, ada.space, { nodes: [start], edges: [] });
  const { page, context } = await opened(id, async ({ context: window }) => {
    await window.route("**/v1/node-types", async route => {
      const response = await route.fetch();
      const body = (await response.json()) as { types: { type: string }[] };
      const map = body.types.find(({ type }) => type === "map");
      const to = { type: "string", title: "Destination", "x-weft": { widget: "expression", order: 0 } };
      body.types.push({
        ...map,
        ...{ type: "teleport", title: "Teleport", summary: "Moves things.", icon: "zap", category: "outside" },
        ...{ keywords: ["beam"], examples: [], defaults: { to: "Mars" }, inside: ["echo"], own: [] },
        dataSchema: { type: "object", properties: { to }, required: ["to"] },
      } as { type: string });
      await route.fulfill({ response, json: body });
    });
  });
  await page.keyboard.press("n");
  await page.getByPlaceholder("What happens next?").waitFor();
  await page.keyboard.type("beam");
  await page.locator("[role=option][data-highlighted]").getByText("Teleport").first().waitFor();
  await page.keyboard.press("Enter");
  // It holds steps, as the service says.
  await node(page, "teleport").getByRole("button", { name: "Add a step inside" }).click();
  await page.getByPlaceholder("What happens next?").waitFor();
  await page.keyboard.type("transform");
  await page.locator("[role=option][data-highlighted]").getByText("Transform").first().waitFor();
  await page.keyboard.press("Enter");
  await node(page, "transform").waitFor();
  await page.getByRole("textbox", { name: "Value" }).click();
  await page.locator(".cm-focused").waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("{{ ech");
  await page.getByRole("listbox").getByRole("option").filter({ hasText: "echo" }).first().waitFor();
  await node(page, "teleport").getByText("Teleport").first().click();
  await page.getByRole("textbox", { name: "Destination" }).getByText("Mars").waitFor();
  await page.keyboard.press("Control+s");
  await page.getByText("Saved v2").waitFor();
  const { body } = await ada.api.get(`${ada.space}/workflows/${id}`);
  expect(body.definition.nodes[1]).toMatchObject({ id: "teleport", type: "teleport", data: { to: "Mars" } });
  expect(body.definition.nodes[2]).toMatchObject({ type: "transform", parentId: "teleport" });
  await context.close();
});

it("the builder's canvas moves through the items of a run, or through failed ones only", async () => {
  const each = { ...step("each", 300, null), type: "map", data: { items: "{{ input.lines }}" } };
  const check = step("check", 20, "{{ item = 0 ? $error('No stock') : item }}", {
    ...{ parentId: "each", policy: { onError: "continue" } },
  });
  const edges = [{ source: "start", target: "each" }];
  const id = await newWorkflow(ada.api, ada.space, { nodes: [start, each, check], edges });
  const { page, context, guard } = await opened(id);
  await page.keyboard.press("Control+Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Run" }).click();
  const strip = page.locator("[data-run]");
  await strip.locator("input[value='1']").waitFor();
  await strip.getByRole("button", { name: "Show only the 2 items that failed" }).click();
  await strip.getByRole("button", { name: "Next", exact: true }).click();
  await strip.locator("input[value='2']").waitFor();
  await node(page, "check").getByText("No stock").waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("a selection box selects steps, a note keeps all typed text, and keys move through outline and problems", async () => {
  const call = { ...step("call", 300, null), type: "http", data: {}, position: { x: 300, y: 260 } };
  const id = await newWorkflow(ada.api, ada.space, {
    nodes: [start, step("one", 300, 1), call, step("two", 600, 2)],
    edges: [
      { source: "start", target: "one" },
      { source: "one", target: "two" },
    ],
  });
  const { page, context, guard } = await opened(id);
  const said = (text: string) => page.locator("#builder-said").getByText(text).waitFor();
  // The inspector that opens does not cover the step that it is about.
  await node(page, "two").click();
  await page.getByRole("textbox", { name: "Name of the step" }).waitFor();
  const rightOf = async (what: Locator) => {
    const { x, width } = (await what.boundingBox())!;
    return x + width;
  };
  await until(async () => (await rightOf(node(page, "two"))) < (await rightOf(canvas(page))));
  await page.keyboard.press("Escape");
  await restingPlace(page);
  const box = (await node(page, "one").boundingBox())!;
  const last = (await node(page, "two").boundingBox())!;
  await page.keyboard.down("Shift");
  await page.mouse.move(box.x - 12, box.y - 30);
  await page.mouse.down();
  await page.mouse.move(last.x + last.width + 20, last.y + last.height + 20, { steps: 6 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await page.locator(".react-flow__node.selected[data-id=two]").waitFor();
  expect(await page.locator(".react-flow__node.selected").count()).toBe(2);
  expect(await page.locator(".react-flow__edge.selected").count()).toBe(0);
  // What can be done with both stands where the form of one would be.
  const many = page.getByRole("complementary", { name: "2 steps selected" });
  await many.getByText("2 × Transform").waitFor();
  await canvas(page).focus();
  await page.keyboard.press("Enter");
  await many.locator("button:focus").getByText("Copy").waitFor();
  await many.getByRole("button", { name: "Disable" }).click();
  await many.getByText("2 disabled").waitFor();
  await many.getByRole("button", { name: "Enable" }).click();
  await many.getByText("2 disabled").waitFor({ state: "detached" });
  await many.getByRole("button", { name: "Leave two out of the selection" }).click();
  await page.getByRole("textbox", { name: "Name of the step" }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator("[role=application]:focus").waitFor();
  await page.keyboard.press("Escape");

  await page.keyboard.press("Shift+N");
  await page.locator(".react-flow__node textarea:focus").waitFor();
  await page.keyboard.type("Ask Grace first");
  await page.keyboard.press("Escape");
  await canvas(page).getByText("Ask Grace first").waitFor();

  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("[");
  await said("start, Trigger, goes to one");
  await page.keyboard.press("o");
  const outline = page.getByRole("listbox", { name: "Outline" });
  await page.locator("[role=listbox]:focus").waitFor();
  await page.keyboard.press("e");
  await outline.getByText("start to one").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("c");
  await page.getByPlaceholder("Connect one to").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("[role=listbox]:focus").waitFor();
  await page.keyboard.press("o");
  await page.locator("[role=application]:focus").waitFor();

  await page.keyboard.press("F8");
  await page.locator("section[aria-label=Problems] button:focus").getByText("call").waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".react-flow__node.selected[data-id=call]").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("[role=application]:focus").waitFor();
  await page.getByRole("region", { name: "Problems" }).waitFor({ state: "detached" });
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("a link to a step shows it beside its inspector, also where the steps have no places yet", async () => {
  const ids = Array.from({ length: 8 }, (_, at) => `s${at}`);
  const id = await newWorkflow(ada.api, ada.space, {
    nodes: ids.map(one => ({ id: one, type: "transform", name: one, data: { value: 1 } })),
    edges: ids.slice(1).map((target, at) => ({ source: ids[at]!, target })),
  });
  const { page, context, guard } = await visit(browser, server.url);
  await enter(context, server.url, ada);
  await page.goto(`${server.url}/w/${ada.slug}/s/${ada.workspaceId}/f/${id}?n=s7`);
  await node(page, "s7").waitFor();
  const inspector = page.getByRole("complementary", { name: "s7" });
  await inspector.waitFor();
  await restingPlace(page);
  const [shown, beside] = [(await node(page, "s7").boundingBox())!, (await inspector.boundingBox())!];
  expect(shown.x + shown.width).toBeLessThanOrEqual(beside.x);
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("a paste from n8n shows the whole workflow and lists points to check, each leading to its step", async () => {
  const id = await newWorkflow(ada.api, ada.space, { nodes: [start], edges: [] });
  const { page, context, guard } = await opened(id);
  const foreign = (name: string, type: string, x: number) => ({
    ...{ id: name, name, type: `n8n-nodes-base.${type}`, typeVersion: 1, position: [x, 0], parameters: {} },
  });
  const next = (target: string) => ({ main: [[{ node: target, type: "main", index: 0 }]] });
  const document = {
    nodes: [
      foreign("Start here", "manualTrigger", 0),
      foreign("Look: again", "airtable", 700),
      foreign("Keep", "set", 200),
    ],
    connections: { "Start here": next("Keep"), Keep: next("Look: again") },
  };
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", ${JSON.stringify(JSON.stringify(document))});
    document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  })()`);
  const report = page.getByRole("dialog", { name: "Pasted from n8n" });
  await report.waitFor();
  await restingPlace(page);
  const boxOf = async (name: string) =>
    (await page.locator(".react-flow__node").filter({ hasText: name }).boundingBox())!;
  const region = (await page.locator("[aria-describedby=builder-said]").boundingBox())!;
  const [from, to] = [await boxOf("Start here"), await boxOf("Look: again")];
  expect(from.x).toBeGreaterThan(region.x);
  expect(to.x + to.width).toBeLessThan(region.x + region.width);
  await report.getByRole("button", { name: "Look: again" }).click();
  await page.locator(".react-flow__node.selected").getByText("Look: again").waitFor();
  expect(await page.locator(".react-flow__node.selected").count()).toBe(1);
  expect(guard.faults).toEqual([]);
  await context.close();
});
