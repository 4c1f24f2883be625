import { barriers } from "./support/barriers.ts";
import { visit } from "./support/browser.ts";
import { canvas } from "./support/hand.ts";
import { enter, join, newPerson } from "./support/person.ts";
import { ada, browser, server } from "./support/scene.ts";

it("an editor finds, previews and uses a template; a viewer cannot use it", async () => {
  const { context, page, guard, quiet } = await visit(browser, server.url);
  await enter(context, server.url, ada);
  await page.goto(`${server.url}/w/${ada.slug}/templates`);
  await page.getByRole("link", { name: "Approve an expense" }).waitFor();
  await page.getByRole("button", { name: "Needs no setup" }).click();
  await page.getByLabel("Search templates").fill("finance person");
  const found = page.getByRole("main").getByRole("heading", { level: 2 });
  await found.nth(1).waitFor({ state: "detached" });
  expect(await found.allInnerTexts()).toEqual(["Approve an expense"]);
  expect(page.url()).toContain("q=finance");
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("link", { name: "Approve an expense" }).click();
  await page.getByText("Nothing. It runs as it is.").waitFor();
  await page.getByRole("application").getByText("Ask for approval").waitFor();
  await quiet();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await barriers(page)).toEqual([]);
  }
  const address = page.url();
  const { body: space } = await ada.api.post(`/v1/workspaces/${ada.workspaceId}/spaces`, { name: "Finance" });
  await page.reload();
  await page.getByRole("button", { name: "Use this template" }).click();
  const asks = page.getByRole("dialog", { name: "Use Approve an expense" });
  await asks.getByLabel("Name").fill("Travel costs");
  await asks.getByLabel("Space").click();
  await page.getByRole("option", { name: "Finance" }).click();
  expect(await barriers(page)).toEqual([]);
  await asks.getByRole("button", { name: "Create workflow" }).click();
  const amount = page.getByRole("dialog").getByLabel("Amount", { exact: true });
  await amount.waitFor();
  expect(await amount.inputValue()).toBe("420");
  await page.waitForURL(/\/f\/[\w-]+$/);
  const { body: made } = await ada.api.get(`/v1/workspaces/${ada.workspaceId}/spaces/${space.id}/workflows`);
  expect(made).toMatchObject([{ name: "Travel costs" }]);
  expect(guard.faults).toEqual([]);
  await context.close();

  const grace = await newPerson(server.url, "Grace Hopper", "Compilers");
  await join(ada, grace, "viewer");
  const viewer = await visit(browser, server.url);
  await enter(viewer.context, server.url, grace);
  await viewer.page.goto(address);
  const use = viewer.page.getByRole("button", { name: "Use this template" });
  await use.waitFor();
  expect([await use.isDisabled(), await use.getAttribute("title")]).toEqual([true, "Needs the role editor"]);
  expect(viewer.guard.faults).toEqual([]);
  await viewer.context.close();
});

it("templates are shown without a sign-in, and the sign-in returns to them", async () => {
  const { context, page, guard, quiet } = await visit(browser, server.url);
  await page.goto(`${server.url}/w/${ada.slug}/templates`);
  await page.getByRole("link", { name: "Approve an expense" }).waitFor();
  await page.getByLabel("Tag").click();
  await page.getByRole("option", { name: "finance" }).click();
  const found = page.getByRole("main").getByRole("heading", { level: 2 });
  await found.nth(1).waitFor({ state: "detached" });
  expect(await found.allInnerTexts()).toEqual(["Approve an expense"]);
  expect(await page.getByRole("button", { name: "Use this template" }).count()).toBe(0);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await barriers(page)).toEqual([]);
  }
  await page.getByRole("link", { name: "Approve an expense" }).click();
  await page.getByRole("application").getByText("Ask for approval").waitFor();
  await quiet();
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("link", { name: "Sign in to use it" }).click();
  await page.getByLabel("E-mail").fill(ada.email);
  await page.getByLabel("Password", { exact: true }).fill(ada.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: "Use this template" }).waitFor();
  await page.goto(`${server.url}/w/${ada.slug}/runs`);
  await page.getByRole("heading", { name: "Runs" }).waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("an n8n file is previewed as a workflow with the points to check, and imported", async () => {
  const { context, page, guard } = await visit(browser, server.url);
  const ben = await newPerson(server.url, "Ben Importer", "Imports");
  await enter(context, server.url, ben);
  await page.goto(`${server.url}/w/${ben.slug}/workflows`);
  const choose = async (file: string | { name: string; mimeType: string; buffer: Buffer }) => {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Import from n8n" }).click();
    await (await chooser).setFiles(file);
  };
  await choose({ name: "notes.json", mimeType: "application/json", buffer: Buffer.from("not JSON") });
  await page.getByRole("alert").getByText("notes.json contains no JSON.").waitFor();
  await page.keyboard.press("Escape");
  await choose("test/fixtures/n8n/lead-enrichment.json");
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/^\d+ steps · /).waitFor();
  const told = await dialog.getByRole("list").getByRole("listitem").count();
  expect(told).toBeGreaterThan(0);
  expect((await ben.api.get(`${ben.space}/workflows`)).body).toEqual([]);
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Import" }).click();
  await canvas(page).waitFor();
  expect((await ben.api.get(`${ben.space}/workflows`)).body).toHaveLength(1);
  expect(guard.faults).toEqual([]);
  await context.close();
});
