import type { Page } from "playwright-core";
import { newWorkflow } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { untilEvent } from "../support/follow.ts";
import { barriersInThemes } from "./support/barriers.ts";
import { visit } from "./support/browser.ts";
import { enter, newPerson } from "./support/person.ts";
import { ada, browser, server } from "./support/scene.ts";

const ORDER = definition(
  [
    node("start", "trigger", {}, { name: "Order comes in" }),
    node("check", "transform", { value: { body: { total: "{{ input.total }}" } } }, { name: "Check the order" }),
    node("tell", "transform", { value: "" }, { name: "Tell the customer" }),
    node("call", "http", { url: "https://api.example.com/orders" }, { name: "Call the shop" }),
    node("check later", "transform", { value: "{{ steps.check.body.total }}" }, { name: "Later" }),
  ],
  "start > check",
  "check > tell",
  "check > call",
  "tell > check later",
);

/** A workflow with a run, and the page that edits it with a step in sight. */
async function opened(nodeId: string) {
  const id = await newWorkflow(ada.api, ada.space, ORDER);
  const flow = `${ada.space}/workflows/${id}`;
  const { body } = await ada.api.post(`${ada.space}/executions`, { workflowId: id, input: { total: 42 } });
  await untilEvent(ada.api, `${ada.space}/executions/${body.id as string}`, "execution.failed");
  const made = await visit(browser, server.url);
  await enter(made.context, server.url, ada);
  await made.page.goto(`${server.url}/w/${ada.slug}/s/${ada.workspaceId}/f/${id}?n=${encodeURIComponent(nodeId)}`);
  await made.page.getByRole("textbox", { name: "Name of the step" }).waitFor();
  return { ...made, id, flow };
}

/** What axe finds, but for the heading of the page, which is that of the builder. */
const found = async (page: Page) => (await barriersInThemes(page)).filter(one => !one.includes("page-has-heading-one"));
const field = (page: Page, name: string) => page.getByRole("textbox", { name });
const offered = (page: Page) => page.getByRole("listbox").getByRole("option");

/** Waits until keys go into the editor. Where another element took the focus meanwhile, it is asked for again. */
async function editing(page: Page, again: () => Promise<void>) {
  const focused = page.locator(".cm-focused");
  for (let tries = 0; tries < 3; tries++) {
    if (
      await focused.waitFor({ timeout: 3_000 }).then(
        () => true,
        () => false,
      )
    )
      return;
    await again();
  }
  await focused.waitFor();
}

/** Presses Escape in the editor and Enter in what has the focus then, without a task in between. Runs in the page. */
function escapeAndEnter(editor: object): void {
  const { document, KeyboardEvent } = globalThis as unknown as {
    document: { activeElement: Keys };
    KeyboardEvent: new (type: string, options: object) => object;
  };
  const press = (on: Keys, key: string) =>
    on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true }));
  press(editor as Keys, "Escape");
  press(document.activeElement, "Enter");
}
interface Keys {
  dispatchEvent: (event: object) => void;
}

describe("an expression", () => {
  it("is completed from the preceding steps, and shows its value from a run", async () => {
    const { context, page, guard, id, flow } = await opened("tell");
    const sample = { body: { total: 7, "due date": "2026-01-31" } };
    expect((await ada.api.patch(`${flow}/samples`, { nodeId: "check", value: sample })).status).toBe(200);
    await page.reload();
    await field(page, "Value").click();
    await page.keyboard.type("{{steps.che");
    // The options of the letters before stay until these are there.
    await offered(page).filter({ hasText: "check later" }).waitFor();
    expect(await offered(page).allInnerTexts()).toEqual([
      expect.stringContaining("check"),
      expect.stringMatching(/check later[^]*runs after this step/),
    ]);
    await page.keyboard.press("Enter");
    await page.keyboard.type(".body.");
    await offered(page).filter({ hasText: "due date" }).waitFor();
    await page.keyboard.type("tot");
    await offered(page).filter({ hasText: "total" }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.type(" * 2");
    await page.locator("[data-preview]").getByText("14", { exact: true }).waitFor();
    // Without the sample, the value is that of the last run.
    expect((await ada.api.delete(`${flow}/samples?nodeId=check`)).status).toBe(204);
    await page.keyboard.press("Control+s");
    await page.getByText("Saved v2").waitFor();
    await page.reload();
    await page.locator("[data-preview]").getByText("84", { exact: true }).waitFor();
    const run = await ada.api.post(`${ada.space}/executions`, { workflowId: id, input: { total: 42 } });
    const path = `${ada.space}/executions/${run.body.id as string}`;
    await untilEvent(ada.api, path, "execution.failed");
    expect((await ada.api.get(`${path}/output?nodeId=tell`)).body.output).toBe(84);
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("lets Tab and Escape leave the editor, and inserts a value from the tree with Enter", async () => {
    const { context, page, guard } = await opened("tell");
    await field(page, "Value").click();
    await editing(page, () => field(page, "Value").click());
    await page.keyboard.press("Escape");
    await page.locator(".cm-content").waitFor({ state: "detached" });
    await page.locator("[data-editor] [role=textbox]:focus").waitFor();
    await page.keyboard.press("Enter");
    await editing(page, () => page.locator(".cm-content").click());
    // Two keys at once: the second one comes before the page had time for anything.
    await page.locator(".cm-content").evaluate(escapeAndEnter);
    await editing(page, () => page.locator(".cm-content").click());
    await page.keyboard.press("Escape");
    // The field keeps the focus, and Tab goes on from there.
    await page.keyboard.press("Enter");
    await editing(page, () => page.locator(".cm-content").click());
    await page.keyboard.press("Tab");
    await page.locator(".cm-content").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Values", exact: true }).press("Enter");
    const tree = page.getByRole("tree", { name: "Values" });
    await tree.getByRole("treeitem").filter({ hasText: "total" }).first().waitFor();
    await tree.focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByText("Inserted input.total into Value").first().waitFor();
    await field(page, "Value").getByText("{{ input.total }}").waitFor();
    await page.locator("[data-preview]").getByText("42", { exact: true }).waitFor();
    expect(guard.faults).toEqual([]);
    await context.close();
  });
});

describe("the inspector", () => {
  it("tests an unsaved step and pins the result without creating a version or a run", async () => {
    const { context, page, guard, flow, id } = await opened("tell");
    await ada.api.patch(`${flow}/samples`, { nodeId: "check", value: { body: { total: 3 } } });
    await field(page, "Value").click();
    await page.keyboard.type("{{ steps.check.body.total + 1");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Test step" }).click();
    await page
      .getByRole("status")
      .getByText(/^Completed in/)
      .waitFor();
    const value = page.getByRole("tree", { name: "Value" });
    expect(await value.innerText()).toBe("4");
    await page.getByRole("button", { name: "Pin as sample" }).click();
    await page.getByRole("button", { name: "Unpin" }).waitFor();
    const pinned = await ada.api.get(`${flow}/samples?nodeId=tell`);
    expect(pinned.body).toEqual([expect.objectContaining({ nodeId: "tell", value: 4 })]);
    expect((await ada.api.get(flow)).body.version).toBe(1);
    expect((await ada.api.get(`${ada.space}/executions?workflowId=${id}`)).body).toHaveLength(1);
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("does not complain about a new step before its fields were left or it is tested", async () => {
    const { context, page, guard } = await opened("tell");
    guard.allow(/status of 40[04]/);
    const canvas = page.getByRole("application", { name: /^Workflow of/ });
    const fault = page.getByRole("complementary").getByText("Must not be empty");
    const add = async (problems: string) => {
      await canvas.focus();
      await page.keyboard.press("n");
      await page.getByPlaceholder("What happens next?").fill("http");
      await page.locator("[role=option][data-highlighted]").getByText("HTTP request").first().waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: problems }).waitFor();
      await field(page, "URL").waitFor();
    };
    await add("1 problem");
    expect(await fault.count()).toBe(0);
    await field(page, "URL").click();
    await editing(page, () => field(page, "URL").click());
    expect(await fault.count()).toBe(0);
    await page.keyboard.press("Tab");
    await fault.waitFor();
    await add("2 problems");
    expect(await fault.count()).toBe(0);
    await page.getByRole("button", { name: "Test step" }).click();
    await fault.waitFor();
    await editing(page, () => Promise.resolve());
    expect(await page.locator(".cm-focused .cm-content").getAttribute("aria-label")).toBe("URL");
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("renames a step's id in the expressions that use it, after listing them", async () => {
    const { context, page, guard, flow } = await opened("check");
    await page.getByRole("button", { name: "Change the id" }).click();
    await page.getByRole("dialog").getByText("1 step uses it").waitFor();
    await page.getByRole("dialog").getByText("Later").waitFor();
    await page.getByLabel("New id").fill("first check");
    await page.getByRole("button", { name: "Change id" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Control+s");
    await page.getByText("Saved v2").waitFor();
    const { body } = await ada.api.get(flow);
    const { nodes } = body.definition as { nodes: { id: string; data: { value?: unknown } }[] };
    expect(nodes.at(-1)?.data.value).toBe("{{ steps.`first check`.body.total }}");
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("creates a credential in place, with the host of the step's URL filled in", async () => {
    const { context, page, guard } = await opened("call");
    await page.getByRole("button", { name: "Credential" }).click();
    await page.getByRole("option", { name: "New credential" }).click();
    const dialog = page.getByRole("dialog", { name: "New credential" });
    expect(await dialog.getByLabel("Hosts").inputValue()).toBe("api.example.com");
    await dialog.getByLabel("Header name", { exact: true }).fill("X-Api-Key");
    await dialog.getByLabel("Name", { exact: true }).fill("Shop");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByRole("alert").first().waitFor();
    await dialog.getByLabel("Value").fill("a-secret-value");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Credential" }).getByText("Shop").waitFor();
    const { body } = await ada.api.get(`/v1/workspaces/${ada.workspaceId}/credentials`);
    expect(body).toEqual([expect.objectContaining({ name: "Shop", type: "header", hosts: ["api.example.com"] })]);
    expect(await page.content()).not.toContain("a-secret-value");
    guard.allow(/status of 400/);
    expect(guard.faults.filter(fault => !fault.includes("400"))).toEqual([]);
    await context.close();
  });

  it("finds the credentials among the settings, where they are tested and deleted", async () => {
    const grace = await newPerson(server.url, "Grace Hopper", "Compilers");
    const shop = { name: "Shop", type: "bearer", hosts: ["api.example.com"], data: { token: "a-secret-token" } };
    const credentials = `/v1/workspaces/${grace.workspaceId}/credentials`;
    expect((await grace.api.post(credentials, shop)).status).toBe(201);
    const { context, page, guard } = await visit(browser, server.url);
    await enter(context, server.url, grace);
    await page.goto(`${server.url}/w/${grace.workspaceId}/settings/credentials`);
    const acts = page.getByRole("button", { name: "Actions for Shop" });
    await acts.click();
    await page.getByRole("menuitem", { name: "Test" }).click();
    await page.getByLabel("Address to call").fill("");
    await page.getByRole("dialog").getByRole("button", { name: "Test" }).click();
    await page.getByText("The credential can be used.").waitFor();
    expect(await barriersInThemes(page)).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
    await acts.click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No credentials yet").waitFor();
    expect((await grace.api.get(credentials)).body).toEqual([]);
    expect(await barriersInThemes(page)).toEqual([]);
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("has no accessibility violations in either theme", async () => {
    const { context, page, guard } = await opened("call");
    for (const tab of ["Policy", "Last output", "Docs", "Set up"]) {
      await page.getByRole("tab", { name: tab }).click();
      expect([tab, await found(page)]).toEqual([tab, []]);
    }
    await field(page, "URL").click();
    await page.keyboard.type("{{ steps.");
    await offered(page).first().waitFor();
    expect(await found(page)).toEqual([]);
    expect(guard.faults).toEqual([]);
    await context.close();
  });
});
