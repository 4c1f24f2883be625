import type { Page } from "playwright-core";
import { definition, node } from "../support/definition.ts";
import { until } from "../support/until.ts";
import { barriers } from "./support/barriers.ts";
import { visit, type Visit } from "./support/browser.ts";
import { enter, join, newPerson, type Person } from "./support/person.ts";
import { ada, browser, server } from "./support/scene.ts";

let grace: Person;

beforeAll(async () => {
  grace = await newPerson(server.url, "Grace Hopper", "Compilers");
  await join(ada, grace, "viewer");
  const steps = [
    { ...node("start", "trigger"), name: "New order" },
    { ...node("price", "transform", { value: 1 }), name: "Add up the price" },
  ];
  await ada.api.post(`${ada.space}/workflows`, {
    name: "Ship an order",
    definition: definition(steps, "start > price"),
  });
});

async function open(path: string, person = ada): Promise<Visit> {
  const visited = await visit(browser, server.url);
  await enter(visited.context, server.url, person);
  await visited.page.goto(`${server.url}/w/${ada.slug}${path}`);
  return visited;
}

/** What has the focus, by its role and its name. */
const focused = (page: Page) => page.locator(":focus").ariaSnapshot();
const menu = async (page: Page, of: string, item: string) => {
  await page.getByRole("button", { name: of, exact: true }).click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
};

it("pods and spaces are created, renamed and deleted, and each dialog focuses its first field", async () => {
  const { context, page, guard } = await open("/settings/spaces");
  await page.getByRole("button", { name: "New pod" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await until(async () => (await focused(page)).includes("textbox"));
  await page.keyboard.type("Spring campaign");
  await page.keyboard.press("Enter");
  const pod = page.getByRole("region", { name: "Spring campaign" });
  await pod.getByRole("listitem").waitFor();
  await menu(page, "More for the pod Spring campaign", "New space");
  // The button can be pressed without a name. The browser then says that the field is empty.
  await dialog.getByRole("button", { name: "Create" }).click();
  await until(async () => (await focused(page)).includes('textbox "Name"'));
  expect(await dialog.locator(":invalid:focus").count()).toBe(1);
  guard.allow(/status of 400/);
  await dialog.getByLabel("Name").fill("  ");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByLabel("Name").fill("Trial");
  await dialog.getByRole("button", { name: "Create" }).click();
  await pod.getByText("Trial", { exact: true }).waitFor();
  await menu(page, "More for Trial", "Rename");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByLabel("Name").waitFor({ state: "detached" });
  await menu(page, "More for Trial", "Rename");
  await dialog.getByLabel("Name").fill("Rehearsal");
  await dialog.getByRole("button", { name: "Save" }).click();
  await pod.getByText("Rehearsal", { exact: true }).waitFor();
  expect(await barriers(page)).toEqual([]);

  await menu(page, "More for Rehearsal", "Delete");
  const final = dialog.getByRole("button", { name: "Delete" });
  expect(await final.isDisabled()).toBe(true);
  await until(async () => (await focused(page)).includes("To confirm, type Rehearsal"));
  await page.keyboard.type("Rehearsal");
  await final.click();
  await pod.getByText("Rehearsal", { exact: true }).waitFor({ state: "detached" });
  await menu(page, "More for the pod Spring campaign", "Delete");
  await dialog.getByLabel("To confirm, type Spring campaign").fill("Spring campaign");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await pod.waitFor({ state: "detached" });
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("a workflow is starred, duplicated into another space, and found there", async () => {
  await ada.api.post(`/v1/workspaces/${ada.workspaceId}/spaces`, { name: "Bookkeeping" });
  const { context, page, guard } = await open("/workflows");
  await menu(page, "More for Ship an order", "Star");
  await page
    .getByRole("img", { name: "Starred" })
    .or(page.getByLabel("Starred", { exact: true }))
    .first()
    .waitFor();
  await menu(page, "More for Ship an order", "Duplicate");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Book an order");
  await dialog.getByRole("combobox", { name: "Space" }).click();
  await page.getByRole("option", { name: "Bookkeeping" }).click();
  await dialog.getByRole("button", { name: "Duplicate" }).click();
  // It opens in the builder, whose edges are named after the steps.
  await page.getByRole("img", { name: "From New order to Add up the price" }).waitFor({ state: "attached" });

  await page.goto(`${server.url}/w/${ada.slug}/workflows`);
  const rows = page.locator("tbody tr");
  await until(async () => (await rows.count()) === 2);
  await page.getByRole("button", { name: "Space: All spaces" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Bookkeeping" }).click();
  await until(async () => (await rows.allTextContents()).join().startsWith("Book an order"));
  expect(await rows.count()).toBe(1);
  // A new workflow goes to the space in sight.
  await page.getByRole("button", { name: "New workflow" }).click();
  await page.getByRole("menuitem", { name: "Blank" }).click();
  await page.waitForURL(url => url.pathname.includes("/f/") && !url.pathname.includes(`/s/${ada.workspaceId}/`));
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("a workflow is moved to the trash and restored, or deleted permanently", async () => {
  for (const name of ["Old import", "Older import"]) await ada.api.post(`${ada.space}/workflows`, { name });
  const { context, page, guard } = await open("/workflows");
  for (const name of ["Old import", "Older import"]) {
    await menu(page, `More for ${name}`, "Move to trash");
    await page.getByRole("link", { name, exact: true }).waitFor({ state: "detached" });
  }
  await page.getByRole("button", { name: "Trash", exact: true }).click();
  const entry = (name: string) => page.getByRole("main").getByRole("listitem").filter({ hasText: name });
  await entry("Older import").waitFor();
  expect(await barriers(page)).toEqual([]);
  await entry("Old import").getByRole("button", { name: "Restore" }).click();
  await entry("Old import").waitFor({ state: "detached" });
  await entry("Older import").getByRole("button", { name: "Delete for good" }).click();
  await page.getByRole("alertdialog").waitFor();
  // The button that changes nothing has the focus.
  await until(async () => (await focused(page)).includes('button "Cancel"'));
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete for good" }).click();
  await page.getByText("The trash is empty").waitFor();
  await page.getByRole("button", { name: "Show all workflows" }).click();
  await page.getByRole("link", { name: "Old import", exact: true }).waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("a viewer sees spaces and workflows without controls that change them", async () => {
  const { context, page, guard } = await open("/settings/spaces", grace);
  await page.getByText("Bookkeeping", { exact: true }).waitFor();
  expect(await page.getByRole("button", { name: "New space" }).isDisabled()).toBe(true);
  await page.goto(`${server.url}/w/${ada.slug}/workflows`);
  await page.getByRole("button", { name: "More for Ship an order" }).click();
  const items = page.getByRole("menuitem");
  await items.first().waitFor();
  expect(await items.allTextContents()).toEqual(["Its runs", "Its versions", "Download as a file"]);
  expect(guard.faults).toEqual([]);
  await context.close();
});
