import type { Page, Route } from "playwright-core";
import { Api, newWorkflow } from "../support/api.ts";
import { barriers } from "./support/barriers.ts";
import { visit } from "./support/browser.ts";
import { enter, newPerson, type Person } from "./support/person.ts";
import { ada, browser, server } from "./support/scene.ts";

let grace: Person;

beforeAll(async () => {
  grace = await newPerson(server.url, "Grace Hopper", "Compilers");
});

const section = (name: string, of = ada) => `${server.url}/w/${of.slug}/settings/${name}`;
const shownOnce = (page: Page, label: string) => page.getByLabel(label).innerText();

describe("the settings of a workspace", () => {
  it("invite a person, who joins by the link, and change their role", async () => {
    const { context, page, guard } = await visit(browser, server.url);
    await enter(context, server.url, ada);
    await page.goto(section("members"));
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByLabel("E-mail address").fill(grace.email);
    await page.getByRole("radio", { name: /Viewer/ }).check();
    await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
    const link = await shownOnce(page, "Send this link");
    // A mail program opens with the link in the text.
    const mail = new URL((await page.getByRole("link", { name: "Write an e-mail" }).getAttribute("href"))!);
    expect([decodeURIComponent(mail.pathname), mail.searchParams.get("body")]).toEqual([
      grace.email,
      expect.stringContaining(link) as string,
    ]);
    // What is shown once is not lost by a stray key.
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "I have stored it" }).click();
    await page.getByRole("button", { name: `Revoke the invite of ${grace.email}` }).waitFor();

    const other = await visit(browser, server.url);
    await enter(other.context, server.url, grace);
    await other.page.goto(link.replace(new URL(link).origin, server.url));
    await other.page.getByRole("button", { name: "Accept invitation" }).click();
    await other.page.getByText("You are now a member of").waitFor();

    await page.reload();
    await page.getByRole("combobox", { name: "Role of Grace Hopper" }).click();
    await page.getByRole("option", { name: "Viewer Sees everything and changes nothing" }).waitFor();
    await page.getByRole("option", { name: "Editor" }).click();
    await page.getByText("Grace Hopper is now editor").waitFor();
    // A colleague sees who is there, and what the role lacks.
    await other.page.goto(section("members"));
    await other.page.getByText("2 people in this workspace").waitFor();
    expect(await other.page.getByRole("button", { name: "Invite" }).isDisabled()).toBe(true);
    await other.page.goto(section("keys"));
    await other.page.getByText("Needs the role admin").first().waitFor();
    expect([...guard.faults, ...other.guard.faults]).toEqual([]);
    await Promise.all([context.close(), other.context.close()]);
  });

  it("show who declined, even a person without an account", async () => {
    const { body } = await ada.api.post(`/v1/workspaces/${ada.workspaceId}/invites`, { email: "vera@example.com" });
    const link = body.link as string;
    const { context, page, guard } = await visit(browser, server.url);
    guard.allow(/status of 410/);
    await page.goto(link.replace(new URL(link).origin, server.url));
    await page.getByText("Ada Lovelace invites you").waitFor();
    await page.getByRole("button", { name: "Decline" }).click();
    await page.getByRole("heading", { name: "You declined this invitation" }).waitFor();
    await page.reload();
    await page.getByText("Ask Ada Lovelace for a new invite.").waitFor();
    expect(await barriers(page)).toEqual([]);
    await enter(context, server.url, ada);
    await page.goto(`${server.url}/me/notifications`);
    await page.getByRole("link", { name: /vera@example.com declined the invite/ }).click();
    await page.getByRole("heading", { name: "Members" }).first().waitFor();
    expect(await page.getByText("vera@example.com").count()).toBe(0);
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("create a key that works until it is revoked", async () => {
    const { context, page, guard } = await visit(browser, server.url);
    await enter(context, server.url, ada);
    await page.goto(section("keys"));
    await page.getByRole("button", { name: "New key" }).first().click();
    await page.getByLabel("Name").fill("Nightly import");
    await page.getByLabel("Only what you choose").check();
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("alert").getByText("Choose at least one thing").waitFor();
    await page.getByLabel("Everything that its role allows").check();
    await page.getByRole("button", { name: "Create key" }).click();
    const key = new Api(server.url).as(await shownOnce(page, "Store this key"));
    await page.getByRole("button", { name: "I have stored it" }).click();
    expect((await key.get(`/v1/workspaces/${ada.workspaceId}`)).status).toBe(200);
    const workflowId = await newWorkflow(ada.api, ada.space, null);
    const { body: run } = await key.post(`${ada.space}/executions`, { workflowId });
    const runs = await context.newPage();
    await runs.goto(`${server.url}/w/${ada.slug}/runs`);
    await runs.getByRole("cell", { name: /API key.*Nightly import/ }).waitFor();
    await runs.goto(`${server.url}/w/${ada.slug}/runs?trigger=manual`);
    await runs.getByText("No run matches these filters").waitFor();
    await runs.goto(`${server.url}/w/${ada.slug}/runs?trigger=key`);
    await runs.getByRole("cell", { name: /API key.*Nightly import/ }).waitFor();
    await runs.goto(`${server.url}/w/${ada.slug}/s/${ada.workspaceId}/runs/${run.id as string}`);
    await runs.getByText(`API key · Nightly import · ${ada.name}`).waitFor();
    await runs.close();
    await page.getByRole("button", { name: "Revoke Nightly import" }).click();
    // The dialog stays open while it revokes the key, and if that fails.
    guard.allow(/status of 409/);
    const dialog = page.getByRole("alertdialog");
    const revoke = dialog.getByRole("button", { name: "Revoke" });
    const problem = { title: "Conflict", status: 409, code: "conflict", detail: "Two changes met." };
    const { promise: first, resolve } = Promise.withResolvers<Route>();
    const sent: string[] = [];
    await page.route("**/api-keys/*", route => {
      sent.push(route.request().method());
      resolve(route);
    });
    await revoke.click();
    await page.locator('[role="alertdialog"] button[aria-busy="true"]').waitFor();
    await revoke.dispatchEvent("click");
    expect(await dialog.getByRole("button", { name: "Cancel" }).isDisabled()).toBe(true);
    await (
      await first
    ).fulfill({ status: 409, contentType: "application/problem+json", body: JSON.stringify(problem) });
    await dialog.getByRole("alert").getByText("Conflict. Two changes met.").waitFor();
    expect(sent).toEqual(["DELETE"]);
    expect(await page.getByRole("alert").count()).toBe(1);
    expect(await barriers(page)).toEqual([]);
    await page.unroute("**/api-keys/*");
    // The title stays while the dialog fades out.
    await page.evaluate(`{
      const titles = globalThis.titles = new Set();
      const note = () => titles.add(document.querySelector("[role=alertdialog] h2")?.textContent);
      new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
    }`);
    await revoke.click();
    await dialog.waitFor({ state: "detached" });
    expect(await page.evaluate("[...titles].filter(Boolean)")).toEqual(["Revoke Nightly import?"]);
    await page.getByText("No keys yet").waitFor();
    expect((await key.get(`/v1/workspaces/${ada.workspaceId}`)).status).toBe(401);
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("rename the workspace, and delete it once its name is typed", async () => {
    const { context, page, guard } = await visit(browser, server.url);
    const { body } = await ada.api.post("/v1/workspaces", { name: "For a day" });
    await enter(context, server.url, ada);
    await page.goto(`${server.url}/w/${body.slug as string}/settings/general`);
    expect(await page.getByRole("button", { name: "Save" }).getAttribute("title")).toBe("Nothing has changed");
    await page.getByLabel("Address").fill("for-two-days");
    expect(await page.getByRole("button", { name: "Save" }).getAttribute("title")).toBeNull();
    await page.getByRole("button", { name: "Save" }).click();
    await page.waitForURL("**/w/for-two-days/settings/general");
    expect(await barriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Delete workspace" }).click();
    const confirm = page.getByRole("dialog").getByRole("button", { name: "Delete workspace" });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel("To confirm, type For a day").fill("For a day");
    await confirm.click();
    await page.getByText("For a day was deleted").waitFor();
    expect((await ada.api.get(`/v1/workspaces/${body.id as string}`)).status).toBe(404);
    expect(guard.faults).toEqual([]);
    await context.close();
  });
});
