import type { Browser } from "playwright-core";
import { newWorkflow } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { untilEnd } from "../support/follow.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";
import { barriers } from "./support/barriers.ts";
import { openBrowser, visit } from "./support/browser.ts";
import { enter, newPerson, type Person } from "./support/person.ts";

let server: Server;
let browser: Browser;
let ada: Person;
beforeAll(async () => {
  [server, browser] = await Promise.all([sharedServer(), openBrowser()]);
  ada = await newPerson(server.url, "Ada Lovelace");
});
afterAll(() => browser.close());

it("shows keys and labels as columns, and filters by them, by space and by duration, also from a saved view", async () => {
  const { api, space } = ada;
  const workflowId = await newWorkflow(api, space, definition([gives("a", 1)]));
  const start = async (more: object) => {
    const { body } = await api.post(`${space}/executions`, { workflowId, ...more });
    await untilEnd(api, `${space}/executions/${body.id as string}`);
  };
  await start({ key: "order-7", labels: { customer: "ada", region: "eu" } });
  await start({ key: "order-8", labels: { customer: "bob" } });
  await start({});
  const { page, context, guard } = await visit(browser, server.url);
  await enter(context, server.url, ada);
  await page.goto(`${server.url}/w/${ada.slug}/runs`);
  const table = page.getByRole("table", { name: "Runs" });
  const rows = table.locator("tbody tr");
  await rows.nth(2).waitFor();
  expect(await table.getByRole("columnheader").allTextContents()).toEqual(expect.arrayContaining(["Key", "Labels"]));
  const cells = rows.filter({ hasText: "order-7" }).getByRole("cell");
  expect(await cells.nth(3).textContent()).toBe("order-7");
  expect(await cells.nth(4).textContent()).toBe("customer=adaregion=eu");

  const dialog = page.getByRole("dialog", { name: "Filter runs" });
  const openDialog = async () => {
    await page.getByRole("button", { name: "More filters" }).click();
    await dialog.waitFor();
  };
  await openDialog();
  await dialog.getByLabel("Label").fill("customer");
  await dialog.getByLabel("Parent run").fill("none");
  await dialog.getByRole("button", { name: "Apply" }).click();
  await dialog.getByText("Write it as name=value.").waitFor();
  await dialog.getByText("This is not the id of a run.").waitFor();
  expect(await barriers(page)).toEqual([]);
  await dialog.getByLabel("Parent run").fill("");
  await dialog.getByLabel("Label").fill("customer=ada");
  await dialog.getByRole("button", { name: "Apply" }).click();
  await dialog.waitFor({ state: "detached" });
  await rows.nth(1).waitFor({ state: "detached" });
  expect(await rows.allTextContents()).toEqual([expect.stringContaining("order-7")]);
  expect(new URL(page.url()).searchParams.get("label")).toBe("customer=ada");

  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Save this view" }).click();
  await page.getByLabel("Name").fill("Of Ada");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "Remove filter" }).click();
  await rows.nth(2).waitFor();

  await openDialog();
  await dialog.getByLabel("Longer than").fill("3600");
  await dialog.getByLabel("Space").click();
  await page.getByRole("option").nth(1).click();
  await dialog.getByRole("button", { name: "Apply" }).click();
  await page.getByText("No run matches these filters").waitFor();
  const { searchParams } = new URL(page.url());
  expect([searchParams.get("longer"), searchParams.get("space")]).toEqual(["3600000", expect.any(String)]);
  await page.getByRole("button", { name: /Of Ada|Views/ }).click();
  await page.getByRole("menuitemcheckbox", { name: "Of Ada" }).click();
  await rows.first().waitFor();
  expect(await rows.allTextContents()).toEqual([expect.stringContaining("order-7")]);
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("sorts by the end and by duration, in the address and in a saved view, by keyboard", async () => {
  const { api, space } = ada;
  const workflowId = await newWorkflow(api, space, definition([node("wait", "delay", { ms: "{{ input }}" })]));
  for (const [key, input] of Object.entries({ short: 1, long: 1_500 }))
    await api.post(`${space}/executions`, { workflowId, key, input }, { prefer: "wait=30" });
  await api.post(`${space}/executions`, { workflowId, key: "open", input: 3_600_000 });
  const { page, context, guard } = await visit(browser, server.url);
  await enter(context, server.url, ada);
  const rows = page.getByRole("table", { name: "Runs" }).locator("tbody tr");
  await page.goto(`${server.url}/w/${ada.slug}/runs?workflow=${workflowId}`);
  await rows.filter({ hasText: "open" }).waitFor();
  // The figures are those of the chosen workflow, not of the six runs of the workspace.
  await page.getByRole("definition").first().filter({ hasText: /^3$/ }).waitFor();
  const sort = page.getByRole("button", { name: "Sort: Newest first" });
  await sort.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitemcheckbox", { name: "Longest" }).waitFor();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await rows.filter({ hasText: "open" }).waitFor({ state: "detached" });
  expect(await rows.allTextContents()).toEqual([expect.stringContaining("long"), expect.stringContaining("short")]);
  expect(new URL(page.url()).searchParams.get("sort")).toBe("longest");
  expect(await page.locator("th[aria-sort]").allTextContents()).toEqual(["Duration"]);
  expect(await barriers(page)).toEqual([]);

  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Save this view" }).click();
  await page.getByLabel("Name").fill("The longest");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "Sort: Longest" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Last ended" }).click();
  await page.getByRole("columnheader", { name: "Ended" }).waitFor();
  expect(new URL(page.url()).searchParams.get("sort")).toBe("ended");
  await page.getByRole("button", { name: /The longest|Views/ }).click();
  await page.getByRole("menuitemcheckbox", { name: "The longest" }).click();
  await page.getByRole("button", { name: "Sort: Longest" }).waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("marks a filter that the service rejects, applies the others, and accepts a range of several days", async () => {
  const { page, context, guard } = await visit(browser, server.url);
  guard.allow(/400/);
  await enter(context, server.url, ada);
  const rows = page.getByRole("table", { name: "Runs" }).locator("tbody tr");
  await page.goto(`${server.url}/w/${ada.slug}/runs?by=nobody&key=order-7`);
  await page.getByText("Expected a lower-case UUID").waitFor();
  await rows.first().waitFor();
  expect(await rows.allTextContents()).toEqual([expect.stringContaining("order-7")]);
  expect(await barriers(page)).toEqual([]);

  await page.goto(`${server.url}/w/${ada.slug}/runs`);
  await page.getByRole("button", { name: "More filters" }).click();
  const dialog = page.getByRole("dialog", { name: "Filter runs" });
  await dialog.getByLabel("From").fill("2020-01-02");
  await dialog.getByLabel("To", { exact: true }).fill("2020-01-01");
  await dialog.getByRole("button", { name: "Apply" }).click();
  await dialog.getByText("The last day is before the first.").waitFor();
  await dialog.getByLabel("To", { exact: true }).fill("2020-02-01");
  await dialog.getByRole("button", { name: "Apply" }).click();
  await page.getByText("No run matches these filters").waitFor();
  const { searchParams } = new URL(page.url());
  expect([searchParams.get("since"), searchParams.get("until")]).toEqual(["2020-01-02", "2020-02-01"]);
  await dialog.waitFor({ state: "detached" });
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("says which of the selected runs could not be retried, and why", async () => {
  const grace = await newPerson(server.url, "Grace Hopper", "Compilers");
  const { api, space, slug } = grace;
  const failed = async (name: string) => {
    const { body } = await api.post(`${space}/workflows`, {
      name,
      definition: definition([node("stop", "fail", { message: "It does not work" })]),
    });
    const { body: run } = await api.post(`${space}/executions`, { workflowId: body.id });
    await untilEnd(api, `${space}/executions/${run.id as string}`);
    return { workflowId: body.id as string, id: run.id as string };
  };
  await failed("Kept");
  const trashed = await failed("Thrown away");
  expect((await api.patch(`${space}/workflows/${trashed.workflowId}/trash`)).status).toBe(200);
  const { page, context, guard } = await visit(browser, server.url);
  await enter(context, server.url, grace);
  await page.goto(`${server.url}/w/${slug}/runs`);
  const rows = page.getByRole("table", { name: "Runs" }).locator("tbody tr");
  await rows.nth(1).waitFor();
  for (const name of ["Kept", "Thrown away"]) await rows.filter({ hasText: name }).getByRole("checkbox").check();
  await page.getByRole("toolbar", { name: "2 selected" }).getByRole("button", { name: "Retry" }).click();
  await page.getByRole("menuitem", { name: "From the start", exact: true }).click();
  const results = page.getByRole("dialog", { name: "1 of 2 could not be changed" });
  const listed = results.getByRole("list", { name: "Runs that could not be changed" }).getByRole("listitem");
  await listed.first().waitFor();
  expect(await listed.allTextContents()).toEqual([expect.stringMatching(/Thrown away.*trash/)]);
  await page.getByText("1 run started again").first().waitFor();
  expect(await barriers(page)).toEqual([]);
  expect(await listed.getByRole("link").getAttribute("href")).toContain(`/runs/${trashed.id}`);
  await results.getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("toolbar", { name: "2 selected" }).waitFor({ state: "detached" });
  expect(guard.faults).toEqual([]);
  await context.close();
});
