import { newWorkflow } from "../support/api.ts";
import { barriers } from "./support/barriers.ts";
import { visit, type Visit } from "./support/browser.ts";
import { canvas } from "./support/hand.ts";
import { enter } from "./support/person.ts";
import { ada, browser, server } from "./support/scene.ts";

const step = (id: string, x: number, value: unknown, more: object = {}) => ({
  ...{ id, type: "transform", name: id, position: { x, y: 60 }, data: { value } },
  ...more,
});
const start = { ...step("start", 0, null), type: "trigger", data: { example: { lines: [1, 2], customer: "Bloom" } } };

const LOW = { position: { x: 300, y: 300 } };

interface Stored {
  definition: { nodes: { id: string }[]; edges: object[] };
}
const stored = async (id: string) => (await ada.api.get(`${ada.space}/workflows/${id}`)).body as Stored;

/** Opens a workflow, and waits until the canvas knows its types: the title of one stands below the name of a step. */
async function opened(id: string): Promise<Visit> {
  const seen = await visit(browser, server.url);
  await enter(seen.context, server.url, ada);
  await seen.page.goto(`${server.url}/w/${ada.slug}/s/${ada.workspaceId}/f/${id}`);
  await canvas(seen.page).getByText("Trigger").waitFor();
  await canvas(seen.page).focus();
  return seen;
}

it("a container opens at full size for editing, and Escape closes it", async () => {
  const each = { ...step("each", 300, null), type: "map", data: { items: "{{ input.lines }}" } };
  const inside = step("double", 20, "{{ item * 2 }}", { parentId: "each" });
  const id = await newWorkflow(ada.api, ada.space, {
    nodes: [start, each, inside, step("sum", 900, "{{ $sum(steps.each) }}")],
    edges: [
      { source: "start", target: "each" },
      { source: "each", target: "sum" },
    ],
  });
  const { page, context, guard } = await opened(id);
  const nodes = page.locator(".react-flow__node");
  for (const key of ["Home", "ArrowRight", "Enter"]) await page.keyboard.press(key);
  const crumbs = page.getByRole("navigation", { name: "Place of the canvas" });
  await crumbs.getByText("each").waitFor();
  expect(await nodes.count()).toBe(2);
  expect(await barriers(page)).toEqual([]);
  // What is added here is inside the container.
  await page.keyboard.press("n");
  await page.getByPlaceholder("What happens next?").waitFor();
  await page.keyboard.type("transform");
  await page.keyboard.press("Enter");
  await nodes.nth(2).waitFor();
  await canvas(page).focus();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await crumbs.waitFor({ state: "detached" });
  await nodes.nth(4).waitFor();
  await page.keyboard.press("Control+s");
  await page.getByText("Saved v2").waitFor();
  const { definition } = await stored(id);
  expect(definition.nodes.at(-1)).toMatchObject({ type: "transform", parentId: "each" });
  expect(definition.edges.at(-1)).toMatchObject({ source: "double" });
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("edges can be reconnected, edges across a container border get alternatives, and steps have a context menu", async () => {
  const each = { ...step("each", 300, null), type: "map", data: { items: "{{ input.lines }}", concurrency: 2 } };
  const id = await newWorkflow(ada.api, ada.space, {
    nodes: [start, each, step("double", 20, "{{ item * 2 }}", { parentId: "each" }), step("sum", 900, 1)],
    edges: [{ source: "start", target: "each" }],
  });
  await ada.api.patch(`${ada.space}/workflows/${id}/samples`, { nodeId: "sum", value: 3 });
  const { page, context, guard } = await opened(id);
  const node = (name: string) => page.locator(`.react-flow__node[data-id=${name}]`);
  await node("each").getByText("input.lines · 2 at once").waitFor();
  await node("sum").getByRole("img", { name: "Has a pinned sample" }).waitFor();
  for (const key of ["Home", "e", "c"]) await page.keyboard.press(key);
  await page.getByPlaceholder("Connect start to").waitFor();
  await page.keyboard.type("sum");
  await page.locator("[role=option][data-highlighted]").getByText("sum").first().waitFor();
  await page.keyboard.press("Enter");
  await page.getByPlaceholder("Connect start to").waitFor({ state: "detached" });
  await node("start").locator(".source").hover();
  await page.mouse.down();
  await node("double").hover();
  await page.mouse.up();
  await page.getByPlaceholder("Connections cannot cross the border of a container").waitFor();
  await page.getByRole("option", { name: "Connect start to each" }).click();
  await node("sum").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Duplicate" }).waitFor();
  // A menu is no landmark.
  expect((await barriers(page)).filter(one => !one.startsWith("region"))).toEqual([]);
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await node("sum").waitFor({ state: "detached" });
  await page.keyboard.press("Control+s");
  await page.getByText("Saved v2").waitFor();
  const { definition } = await stored(id);
  expect(definition.nodes.map(({ id: one }) => one)).toEqual(["start", "each", "double"]);
  expect(definition.edges).toEqual([{ source: "start", target: "each" }]);
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("extracting the selected steps into a workflow keeps the output the same", async () => {
  const id = await newWorkflow(ada.api, ada.space, {
    nodes: [
      start,
      step("greet", 300, "{{ 'Dear ' & input.customer }}"),
      step("count", 600, "{{ steps.greet & ', ' & $count(input.lines) & ' lines' }}"),
      step("end", 900, "{{ $uppercase(steps.count) }}"),
    ],
    edges: [
      { source: "start", target: "greet" },
      { source: "greet", target: "count" },
      { source: "count", target: "end" },
    ],
  });
  const { page, context, guard } = await opened(id);
  for (const key of ["Home", "ArrowRight", "Shift+ArrowRight", "Shift+E"]) await page.keyboard.press(key);
  const dialog = page.getByRole("dialog", { name: "Turn the selection into a workflow" });
  const [name, create] = [dialog.getByLabel("Name of the workflow"), dialog.getByRole("button", { name: "Create" })];
  await name.fill("");
  await create.click();
  await dialog.locator(":invalid:focus").waitFor();
  guard.allow(/status of 400/);
  await name.fill("  ");
  await create.click();
  await dialog.getByRole("alert").waitFor();
  await name.fill("Greeting");
  expect(await barriers(page)).toEqual([]);
  await create.click();
  await dialog.waitFor({ state: "detached" });
  await page.keyboard.press("Control+s");
  await page.getByText("Saved v2").waitFor();
  const { definition } = await stored(id);
  expect(definition.nodes.map(({ id: one }) => one)).toEqual(["start", "subworkflow", "end"]);
  const input = { lines: [1, 2], customer: "Bloom" };
  const { body } = await ada.api.post(`${ada.space}/executions`, { workflowId: id, input }, { prefer: "wait=30" });
  expect(body).toMatchObject({ status: "completed", output: "DEAR BLOOM, 2 LINES" });
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("drags values into fields and a step onto an edge, undoes after a reload, and starts a run at a step", async () => {
  const id = await newWorkflow(ada.api, ada.space, {
    nodes: [start, step("count", 300, "{{ $count(input.lines) }}"), step("end", 600, ""), step("lone", 300, 1, LOW)],
    edges: [
      { source: "start", target: "count" },
      { source: "count", target: "end" },
    ],
  });
  const { page, context, guard, quiet } = await opened(id);
  const node = (name: string) => page.locator(`.react-flow__node[data-id=${name}]`);
  const strip = page.locator("[data-run]");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Run" }).click();
  await strip.getByText("Completed", { exact: true }).waitFor();
  await node("end").click();
  await page.getByRole("button", { name: "Values" }).click();
  const value = page.getByRole("textbox", { name: "Value" });
  const values = page.getByRole("tree", { name: "Values" });
  const source = values.getByRole("treeitem", { name: "count 2" });
  await source.waitFor();
  await quiet();
  await source.hover();
  await page.mouse.down();
  // The browser tells the field of the drag with the second move.
  for (let move = 0; move < 2; move++) await value.hover();
  await page.mouse.up();
  await value.getByText("{{ steps.count }}").waitFor();
  // The field into which a value was dropped is the one that the next value goes into.
  await values.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await value.getByText("{{ steps.count }}{{ input.lines }}").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");

  const centreOf = async (name: string) => {
    const { x, y, width, height } = (await node(name).boundingBox())!;
    return { x: x + width / 2, y: y + height / 2 };
  };
  const [from, left, right] = [await centreOf("lone"), await centreOf("count"), await centreOf("end")];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 2, from.y - 2);
  await page.mouse.move((left.x + right.x) / 2, left.y + 8, { steps: 8 });
  await page.mouse.up();
  await page.locator("#builder-said").getByText("lone").waitFor();
  await page.getByText(/^Draft, kept/).waitFor();
  await page.reload();
  await page.getByText(/Your draft from .* is restored/).waitFor();
  await page.getByRole("button", { name: "Undo: Insert “lone”" }).click();
  await page.getByRole("button", { name: "Redo: Insert “lone”" }).click();
  await canvas(page).focus();
  await page.keyboard.press("Control+s");
  await page.getByText(/^Saved v\d/).waitFor();
  // What was restored is a version now.
  await page.getByText(/Your draft from .* is restored/).waitFor({ state: "detached" });
  const ends = (await stored(id)).definition.edges.map(edge => Object.values(edge).join());
  expect(ends).toEqual(["start,count", "count,lone", "lone,end"]);

  await node("end").click();
  await page.getByRole("button", { name: "Run from here" }).first().click();
  await strip.getByText("Completed", { exact: true }).waitFor();
  const runs = (await ada.api.get(`${ada.space}/executions?workflowId=${id}`)).body as {
    id: string;
    output: unknown;
  }[];
  expect(runs.length).toBe(2);
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("on a phone, a workflow is read-only until the user asks to edit it by touch", async () => {
  const id = await newWorkflow(ada.api, ada.space, {
    nodes: [start, step("count", 300, "{{ $count(input.lines) }}"), step("end", 600, 1)],
    edges: [{ source: "start", target: "count" }],
  });
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const { page, context, guard } = await visit(browser, server.url, phone);
  await enter(context, server.url, ada);
  await page.goto(`${server.url}/w/${ada.slug}/s/${ada.workspaceId}/f/${id}`);
  const row = (text: string) => page.getByRole("option").filter({ hasText: text });
  await row("goes to count").waitFor();
  expect(await page.getByText("goes to count").isVisible()).toBe(true);
  expect(await page.getByRole("button", { name: "Add a step" }).count()).toBe(0);
  await page.getByRole("button", { name: "Edit here" }).tap();
  await row("no next step").first().tap();
  await page.getByRole("textbox", { name: "Name of the step" }).fill("Count the lines");
  await page.getByRole("button", { name: "Actions", exact: true }).tap();
  await page.getByRole("menuitem", { name: "Connect to another step" }).tap();
  await page.getByRole("option", { name: /^end/ }).tap();
  await page.getByRole("button", { name: "Close" }).tap();
  await row("goes to end").waitFor();
  await page.getByRole("button", { name: "Add a step" }).tap();
  await page.getByRole("option", { name: /^Transform/ }).tap();
  await page.getByRole("button", { name: "Close" }).tap();
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("button", { name: "More", exact: true }).tap();
  await page.getByRole("menuitem", { name: /^Undo: Insert/ }).tap();
  await page.getByRole("button", { name: "Save", exact: true }).tap();
  await page.getByText("Saved v2").waitFor();
  const { definition } = await stored(id);
  expect(definition.nodes.map(({ id: one }) => one)).toEqual(["start", "count", "end"]);
  expect(definition.edges).toHaveLength(2);
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("a test run on the canvas replaces a call with a mock, and stores nothing", async () => {
  const call = { ...step("call", 300, null), type: "http", name: "Read stock", data: { url: "https://example.com" } };
  const id = await newWorkflow(ada.api, ada.space, {
    nodes: [start, call, step("end", 600, "{{ steps.call.body.left }}")],
    edges: [
      { source: "start", target: "call" },
      { source: "call", target: "end" },
    ],
  });
  const { page, context, guard } = await opened(id);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Test run" }).click();
  const dialog = page.getByRole("dialog", { name: "Test run" });
  const run = dialog.getByRole("button", { name: "Run test" });
  const result = dialog.getByRole("region", { name: "Result of the test run" });
  await run.click();
  await result.getByText("not_mocked").first().waitFor();
  const [shown, button] = [(await result.boundingBox())!, (await run.boundingBox())!];
  expect(shown.y + shown.height).toBeLessThanOrEqual(button.y);
  expect((await dialog.getByRole("heading", { name: "Test run" }).boundingBox())!.y).toBeGreaterThan(0);
  await result.getByRole("button", { name: "Mock this step" }).click();
  expect(await dialog.getByRole("combobox", { name: "Step" }).textContent()).toContain("Read stock");
  expect(await dialog.locator("textarea:focus").inputValue()).toBe("{}");
  await dialog.getByRole("textbox", { name: "Output, JSON" }).fill('{"body": {"left": 7');
  await run.click();
  await dialog.getByText("This is not valid JSON.").waitFor();
  await dialog.getByRole("textbox", { name: "Output, JSON" }).fill('{"body": {"left": 7}}');
  await run.click();
  await result.getByText("Completed", { exact: true }).first().waitFor();
  await result.getByText("mock").waitFor();
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("Nothing was stored").waitFor();
  expect((await ada.api.get(`${ada.space}/executions?workflowId=${id}`)).body).toEqual([]);
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("a step that ends the run goes beside the next step, and the menu of a step adds inside of it and behind it", async () => {
  const each = { ...step("each", 300, null), type: "map", data: { items: "{{ input.lines }}" } };
  const id = await newWorkflow(ada.api, ada.space, {
    nodes: [start, each],
    edges: [{ source: "start", target: "each" }],
  });
  const { page, context, guard } = await opened(id);
  const choose = async (word: string, title: string) => {
    await page.getByPlaceholder("What happens next?").fill(word);
    await page.locator("[role=option][data-highlighted]").getByText(title, { exact: true }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.getByPlaceholder("What happens next?").waitFor({ state: "detached" });
    await page.getByRole("complementary", { name: title }).waitFor();
  };
  await page.keyboard.press("Home");
  await page.keyboard.press("n");
  await choose("fail", "Fail");
  // On a phone, the outline has no handles and no space inside of steps.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Edit here" }).click();
  for (const [what, word, title] of [
    ["Add a step inside", "transform", "Transform"],
    ["Add the next step", "delay", "Delay"],
  ] as const) {
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await page.getByRole("option", { name: /^each/ }).click();
    await page.getByRole("complementary", { name: "each" }).getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: what }).click();
    await choose(word, title);
  }
  await page.keyboard.press("Control+s");
  await page.getByText("Saved v2").waitFor();
  const { nodes, edges } = (await stored(id)).definition;
  const paths = edges as { source: string; target: string }[];
  expect(paths.map(({ source, target }) => `${source} > ${target}`).toSorted()).toEqual([
    "each > delay",
    "start > each",
    "start > fail",
  ]);
  expect(nodes.find(one => one.id === "transform")).toMatchObject({ parentId: "each" });
  expect(guard.faults).toEqual([]);
  await context.close();
});
