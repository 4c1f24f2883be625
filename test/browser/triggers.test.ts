import { createHmac } from "node:crypto";
import type { Locator } from "playwright-core";
import { newWorkflow } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { barriers } from "./support/barriers.ts";
import { visit } from "./support/browser.ts";
import { enter, join, newPerson } from "./support/person.ts";
import { ada, browser, server } from "./support/scene.ts";

beforeAll(async () => {
  await newWorkflow(ada.api, ada.space, definition([gives("a", "{{ input }}")]));
});

const pageOf = (name: string) => `${server.url}/w/${ada.slug}/${name}`;

it("a GitHub webhook is created, called, tested, disabled and deleted", async () => {
  const { context, page, guard } = await visit(browser, server.url);
  await enter(context, server.url, ada);
  await page.goto(pageOf("webhooks"));
  await page.getByText("No webhooks yet").waitFor();
  await page.getByRole("button", { name: "New webhook" }).click();
  // Without a name it gets that of the workflow.
  await page.getByRole("combobox", { name: "Who calls it" }).click();
  await page.getByRole("option", { name: "GitHub" }).click();
  await page.getByRole("button", { name: "Create webhook" }).click();
  const address = new URL(await page.getByLabel("Address", { exact: true }).innerText());
  const secret = await page.getByLabel("Secret", { exact: true }).innerText();
  await page.getByRole("button", { name: "I have stored it" }).click();

  const body = JSON.stringify({ ref: "refs/heads/main" });
  const deliver = (key: string) =>
    fetch(server.url + address.pathname, {
      method: "POST",
      body,
      headers: {
        "content-type": "application/json",
        "x-hub-signature-256": `sha256=${createHmac("sha256", key).update(body).digest("hex")}`,
      },
    });
  expect((await deliver(secret)).status).toBe(202);
  expect((await deliver("another secret")).status).toBe(401);
  const broken = { "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update("{").digest("hex")}` };
  const headers = { "content-type": "application/json", ...broken };
  expect((await fetch(server.url + address.pathname, { method: "POST", body: "{", headers })).status).toBe(400);
  await page.getByRole("button", { name: "Open A workflow" }).click();
  await page.getByText("The signature was wrong").waitFor();
  await page.getByText("The body was not valid JSON").waitFor();
  await page.getByText("Weft does not keep the bodies").waitFor();
  expect(await page.getByRole("dialog").getByRole("link", { name: "Run" }).count()).toBe(1);
  expect(await barriers(page)).toEqual([]);
  await page.getByLabel("Body of a test delivery").fill("{not JSON");
  await page.getByRole("button", { name: "Start a test run" }).click();
  await page.getByText("This is not valid JSON.").waitFor();
  await page.getByLabel("Body of a test delivery").fill('{"ref": "refs/heads/trial"}');
  await page.getByRole("button", { name: "Start a test run" }).click();
  await page.getByText("The caller would have received 202").waitFor();
  const tried = (await page.getByRole("link", { name: "Open the run" }).getAttribute("href"))!.split("/").at(-1);
  const { body: run } = await ada.api.get(`${ada.space}/executions/${tried}`);
  expect(JSON.stringify(run.input)).toContain("refs/heads/trial");
  await page.getByRole("button", { name: "Close" }).first().click();

  await page.getByRole("switch", { name: "Accept deliveries to A workflow" }).click();
  await page.getByRole("switch", { name: "Accept deliveries to A workflow", checked: false }).waitFor();
  expect((await deliver(secret)).status).toBe(404);
  await page.getByRole("button", { name: "Open A workflow" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No webhooks yet").waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("a schedule is created without cron syntax, run at once, changed, disabled and deleted", async () => {
  const { context, page, guard } = await visit(browser, server.url);
  await enter(context, server.url, ada);
  await page.goto(pageOf("schedules"));
  await page.getByRole("button", { name: "New schedule" }).click();
  const repeats = async (rhythm: string) => {
    await page.getByRole("combobox", { name: "Repeats" }).click();
    await page.getByRole("option", { name: rhythm }).click();
  };
  // The field says what is wrong before anything is saved. The browser tells of every answer of 4xx.
  guard.allow(/status of 400 .*\/schedules\/preview/);
  await repeats("By a cron expression");
  await page.getByLabel("Cron expression").fill("61 * * * *");
  await page.getByText("The minute field is out of range").waitFor();
  expect(await page.getByLabel("Cron expression").getAttribute("aria-invalid")).toBe("true");
  await repeats("Monday to Friday");
  await page.getByLabel("At", { exact: true }).fill("18:30");
  await page.getByLabel("Time zone").fill("Europe/Berlin");
  const times = page.getByRole("dialog").getByRole("table");
  await times.getByRole("columnheader", { name: "Europe/Berlin" }).waitFor();
  expect(await times.getByRole("columnheader", { name: "UTC" }).count()).toBe(1);
  const turns = await times.locator("tbody tr").all();
  expect(turns).toHaveLength(5);
  for (const turn of turns) {
    const [berlin, utc] = await turn.getByRole("cell").allInnerTexts();
    expect(berlin).toMatch(/(Mon|Tue|Wed|Thu|Fri).*18:30$/);
    expect(utc).toMatch(/1[67]:30$/);
  }
  await page.getByLabel("Input").fill('{"from": "a schedule"}');
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Monday to Friday, 18:30 · Europe/Berlin").waitFor();
  // The button that opened the dialog is gone, and the first row is in its place.
  await page.getByRole("main").getByRole("listitem").locator(":focus").waitFor();
  const { body } = await ada.api.get(`/v1/workspaces/${ada.workspaceId}/schedules`);
  expect(body).toMatchObject([{ cronExpr: "30 18 * * 1-5", timezone: "Europe/Berlin", input: { from: "a schedule" } }]);

  await page.getByRole("button", { name: /^More for/ }).click();
  await page.getByRole("menuitem", { name: "Run now" }).click();
  await page.waitForURL(/\/runs\//);
  await page.locator("header").getByText("Completed", { exact: true }).first().waitFor();
  await page.goto(pageOf("schedules"));
  await page.getByRole("button", { name: /^More for/ }).click();
  await page.getByRole("menuitem", { name: "Change" }).click();
  guard.allow(/status of 400 .*\/schedules\//);
  await page.getByLabel("Time zone").fill("Mars/Olympus");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").getByText("There is no time zone").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("switch").click();
  await page.getByText("Off", { exact: true }).waitFor();

  const more = (row: Locator) => row.getByRole("button", { name: /^More for/ });
  const remove = async (row: Locator) => {
    await more(row).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
  };
  const [{ workflowId }] = body as [{ workflowId: string }];
  for (const cronExpr of ["1 1 * * *", "2 2 * * *"])
    await ada.api.post(`${ada.space}/schedules`, { workflowId, cronExpr });
  await page.reload();
  const rows = page.getByRole("main").getByRole("listitem");
  await rows.nth(2).waitFor();
  // The row below takes the place of a deleted one, also if the menu of the row above was open before.
  await more(rows.nth(0)).click();
  await page.keyboard.press("Escape");
  await remove(rows.nth(1));
  await rows.nth(2).waitFor({ state: "detached" });
  await rows.nth(1).locator(":focus").waitFor();
  await remove(rows.nth(1));
  await rows.nth(1).waitFor({ state: "detached" });
  await remove(rows.nth(0));
  await page.getByText("No schedules yet").waitFor();
  await page
    .locator(":focus")
    .and(page.getByRole("button", { name: "New schedule" }))
    .waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("a schedule asks for its input with a form when the workflow has an input schema", async () => {
  const grace = await newPerson(server.url, "Grace Hopper", "Forms");
  const inputSchema = {
    type: "object",
    properties: { city: { type: "string", title: "City" }, days: { type: "integer", title: "Days", minimum: 1 } },
    required: ["city"],
  };
  const nodes = [node("start", "trigger")];
  const given = { name: "Weather", definition: { ...definition(nodes), settings: { inputSchema } } };
  await grace.api.post(`${grace.space}/workflows`, given);
  const { context, page, guard } = await visit(browser, server.url);
  await enter(context, server.url, grace);
  await page.goto(`${server.url}/w/${grace.slug}/schedules`);
  await page.getByRole("button", { name: "New schedule" }).click();
  const form = page.getByRole("group", { name: "Input" });
  await form.getByLabel("Days").fill("0");
  await page.getByRole("button", { name: "Save" }).click();
  await form.getByText("Enter 1 or more.").waitFor();
  await form.getByLabel("City").fill("Oslo");
  await form.getByLabel("Days").fill("3");
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: /^More for/ }).click();
  const saved = await grace.api.get(`/v1/workspaces/${grace.workspaceId}/schedules`);
  expect(saved.body).toMatchObject([{ input: { city: "Oslo", days: 3 } }]);
  await page.getByRole("menuitem", { name: "Change" }).click();
  await form.getByLabel("City").waitFor();
  expect(await form.getByLabel("City").inputValue()).toBe("Oslo");

  // The same form starts a run from the list of workflows.
  await page.goto(`${server.url}/w/${grace.slug}/workflows`);
  await page.getByRole("button", { name: "Run Weather" }).click();
  await form.getByLabel("Days").fill("0");
  await page.getByRole("button", { name: "Start run" }).click();
  await form.getByText("Enter 1 or more.").waitFor();
  await form.getByLabel("City").fill("Bergen");
  await form.getByLabel("Days").fill("2");
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Start run" }).click();
  await page.waitForURL(/\/runs\/[\da-f-]{36}/);
  const run = await grace.api.get(`${grace.space}/executions/${page.url().split("/").at(-1)}`);
  expect(run.body).toMatchObject({ input: { city: "Bergen", days: 2 } });
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("a row without a control shows its whole name, because the keyboard does not reach a tooltip of it", async () => {
  const [owner, viewer] = [await newPerson(server.url, "Barbara Liskov"), await newPerson(server.url, "Vera Rubin")];
  await join(owner, viewer, "viewer");
  const name = "Charges ".repeat(24).trim();
  const { body } = await owner.api.post(`${owner.space}/workflows`, { name, definition: definition([]) });
  await owner.api.post(`${owner.space}/schedules`, { workflowId: body.id as string, cronExpr: "0 9 * * *" });
  const isCut = async (who: typeof owner) => {
    const { context, page, guard } = await visit(browser, server.url);
    await enter(context, server.url, who);
    await page.goto(`${server.url}/w/${owner.slug}/schedules`);
    const text = page.getByRole("listitem").getByText(name, { exact: true });
    await text.waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(guard.faults).toEqual([]);
    const cut = await text.evaluate(shown => {
      const { scrollWidth, clientWidth } = shown as unknown as { scrollWidth: number; clientWidth: number };
      return scrollWidth > clientWidth;
    });
    await context.close();
    return cut;
  };
  expect([await isCut(owner), await isCut(viewer)]).toEqual([true, false]);
});

it("a schedule or webhook starts no workflow by mistake, and says when one is not deployed", async () => {
  const owner = await newPerson(server.url, "Radia Perlman", "Bridges");
  const { context, page, guard } = await visit(browser, server.url);
  await enter(context, server.url, owner);
  const open = async (path: string, button: string) => {
    await page.goto(`${server.url}/w/${owner.slug}/${path}`);
    await page.getByRole("button", { name: button, exact: true }).click();
  };
  const field = page.getByRole("combobox", { name: "Workflow" });
  const notDeployed = page.getByText("This workflow is not deployed. Until it is, runs use its newest saved version.");
  await open("schedules", "New schedule");
  await page.getByText("There is no workflow yet. Create one first.").waitFor();

  const made = async (name: string) => {
    const { body } = await owner.api.post(`${owner.space}/workflows`, {
      name,
      definition: definition([gives("a", 1)]),
    });
    return body.id as string;
  };
  const [live, draft] = [await made("Live"), await made("Draft")];
  await owner.api.post(`${owner.space}/workflows/${live}/deploy`);
  // The only deployed one is chosen, although the other was changed last.
  await open("schedules", "New schedule");
  await field.getByText("Live").waitFor();
  expect(await notDeployed.count()).toBe(0);
  await field.click();
  await page.getByRole("option", { name: "Draft" }).getByText("Not deployed").waitFor();
  await page.getByRole("option", { name: "Draft" }).click();
  await notDeployed.waitFor();
  expect(await field.getAttribute("aria-describedby")).not.toBeNull();
  expect(await barriers(page)).toEqual([]);
  // What the note says is true.
  await owner.api.patch(`${owner.space}/workflows/${draft}`, { definition: definition([gives("a", 2)]) });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "More for Draft" }).click();
  await page.getByRole("menuitem", { name: "Run now" }).click();
  await page.waitForURL(/\/runs\/[\da-f-]{36}/);
  const run = await owner.api.get(`${owner.space}/executions/${page.url().split("/").at(-1)}`);
  expect(run.body).toMatchObject({ workflowId: draft, workflowVersion: 2 });

  // The list of one workflow makes a webhook for this one.
  await open(`webhooks?workflow=${draft}`, "New webhook");
  await notDeployed.waitFor();
  await owner.api.post(`${owner.space}/workflows/${await made("Live too")}/deploy`);
  await open("webhooks", "New webhook");
  await field.getByText("Choose a workflow").waitFor();
  await page.getByRole("button", { name: "Create webhook" }).click();
  await page.getByRole("alert").getByText("Choose the workflow to start.").waitFor();
  expect(await barriers(page)).toEqual([]);
  await field.click();
  await page.getByRole("option", { name: "Live too" }).click();
  await page.getByRole("button", { name: "Create webhook" }).click();
  await page.getByRole("button", { name: "I have stored it" }).click();
  await page.getByRole("button", { name: "Open Live too" }).waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});
