import type { Browser, BrowserContext, Page } from "playwright-core";
import { Api } from "../support/api.ts";
import { addAccounts } from "../support/members.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { barriersInThemes } from "./support/barriers.ts";
import { openBrowser, visit } from "./support/browser.ts";
import { enter, join, newPerson, type Person } from "./support/person.ts";

const CHIEF = { email: "chief@example.com", password: "correct horse battery" };
let server: Server;
let browser: Browser;
let ada: Person;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer({ env: { OPERATORS: CHIEF.email } }), openBrowser()]);
  await addAccounts(server.dataDir, [CHIEF.email], CHIEF.password);
  ada = await newPerson(server.url);
});
afterAll(async () => {
  await browser?.close();
  await removeServer(server);
});

const tab = (name: string, search = "") => `${server.url}/operator/${name}${search}`;

/** Chooses an act from the menu of a person or a workspace. */
async function act(page: Page, of: string, what: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${of}` }).click();
  await page.getByRole("menuitem", { name: what }).click();
}
const confirm = (page: Page, what: string) => page.getByRole("alertdialog").getByRole("button", { name: what }).click();

describe("an operator", () => {
  it("creates, signs out, disables, enables and deletes an account", async () => {
    const { context, page, guard } = await visit(browser, server.url);
    await enter(context, server.url, CHIEF);
    await page.goto(tab("users"));
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByLabel("E-mail address", { exact: true }).fill("grace@example.com");
    await page.getByRole("dialog").getByRole("button", { name: "Create account" }).click();
    const link = await page.getByLabel("The link").innerText();
    expect(link).toContain("/reset-password#token=");
    await page.getByRole("button", { name: "Done" }).click();

    await act(page, ada.email, "End all sessions");
    await confirm(page, "End all sessions");
    await page.getByText(`All sessions of ${ada.email} have ended`).waitFor();
    expect((await ada.api.get("/v1/auth/me")).status).toBe(401);
    await act(page, ada.email, "Disable");
    await confirm(page, "Disable");
    await page.getByText(`${ada.email} is disabled`).waitFor();
    const signIn = () => new Api(server.url).post("/v1/auth/login", { email: ada.email, password: ada.password });
    expect((await signIn()).status).toBe(403);
    await act(page, ada.email, "Enable");
    await page.getByText(`${ada.email} is enabled`).waitFor();
    expect((await signIn()).status).toBe(200);

    await page.getByLabel("Beginning of an e-mail address").fill("grace@");
    await page.getByRole("button", { name: `Actions for ${ada.email}` }).waitFor({ state: "detached" });
    await act(page, "grace@example.com", "Delete account");
    await confirm(page, "Delete account");
    await page.getByText("grace@example.com was deleted").waitFor();
    await page.getByText("No such account").waitFor();
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("sets quotas, transfers a workspace, and deletes it after its address is typed", async () => {
    const { context, page, guard } = await visit(browser, server.url);
    const owner = await newPerson(server.url, "Joan Clarke", "Codes");
    await enter(context, server.url, CHIEF);
    await page.goto(tab("workspaces", `?q=${owner.slug}`));
    await act(page, "Codes", "Quotas");
    await page.getByLabel("Runs a day").fill("many");
    await page.getByText("Expected a whole number").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").locator(":invalid:focus").waitFor();
    await page.getByLabel("Runs a day").fill("7");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The quotas of Codes are saved").waitFor();
    const usage = (await owner.api.get(`/v1/workspaces/${owner.workspaceId}/usage`)).body;
    expect(JSON.stringify(usage)).toContain('"allowed":7');
    const theirs = await visit(browser, server.url);
    await enter(theirs.context, server.url, owner);
    await theirs.page.goto(`${server.url}/w/${owner.slug}/settings/usage`);
    await theirs.page.getByRole("meter", { name: "Runs today" }).waitFor();
    await theirs.page.getByText("of 7", { exact: true }).waitFor();
    expect(theirs.guard.faults).toEqual([]);
    await theirs.context.close();

    await act(page, "Codes", "Change owner");
    await page.getByLabel("E-mail address of the new owner").fill("nobody@example.com");
    await page.getByRole("button", { name: "Change owner" }).click();
    await page.getByText("No account has this address").waitFor();
    await page.getByLabel("E-mail address of the new owner").fill(ada.email);
    await page.getByRole("button", { name: "Change owner" }).click();
    await page.getByText(`${ada.email} owns Codes`).waitFor();

    await act(page, "Codes", "Delete workspace");
    const last = page.getByRole("dialog").getByRole("button", { name: "Delete workspace" });
    expect(await last.isDisabled()).toBe(true);
    await page.getByLabel(`To confirm, type ${owner.slug}`).fill(owner.slug);
    await last.click();
    await page.getByText("Codes was deleted").waitFor();
    await page.getByText("No such workspace").waitFor();
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("sees these pages, and other people do not", async () => {
    const { context, page, guard } = await visit(browser, server.url);
    await enter(context, server.url, ada);
    await page.goto(tab("users"));
    await page.getByText("Only operators see this page").waitFor();
    expect(await page.getByText(CHIEF.email).count()).toBe(0);
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("finds them in the navigation, also without a workspace", async () => {
    const { context, page, guard } = await visit(browser, server.url);
    await enter(context, server.url, CHIEF);
    await page.goto(`${server.url}/me`);
    const places = page.getByRole("navigation", { name: "Your account" });
    await places.locator('[aria-current="page"]').getByText("Your account").waitFor();
    await places.getByRole("link", { name: "Operator" }).click();
    await page.getByRole("tab", { name: "People" }).click();
    await page.waitForURL(tab("users"));
    const current = places.locator('[aria-current="page"]');
    expect(await current.allInnerTexts()).toEqual(["Operator"]);
    // A member of a workspace sees the same places, and the way back to the workspace.
    expect(await places.getByRole("link", { name: /^Back to/ }).count()).toBe(0);
    const owner = await newPerson(server.url, "Joan Clarke", "Ciphers");
    const { accessToken } = (await new Api(server.url).post("/v1/auth/login", CHIEF)).body;
    await join(owner, { email: CHIEF.email, api: new Api(server.url, accessToken as string) }, "viewer");
    await page.reload();
    const back = places.getByRole("link", { name: "Back to Ciphers" });
    await back.waitFor();
    expect(await current.allInnerTexts()).toEqual(["Operator"]);
    expect(await page.getByRole("navigation", { name: "Breadcrumbs" }).innerText()).not.toContain("Ciphers");
    await back.click();
    await page.waitForURL(`${server.url}/w/${owner.slug}`);
    const inside = page.getByRole("navigation", { name: "Workspace" });
    await inside.locator('[aria-current="page"]').getByText("Home").waitFor();
    expect(guard.faults).toEqual([]);
    await context.close();
  });
});

describe("the pages of operators have no accessibility violations in either theme", () => {
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    ({ context, page } = await visit(browser, server.url));
    await enter(context, server.url, CHIEF);
  });
  afterAll(() => context?.close());

  it.each([
    ["status", "", "Queue and workers"],
    ["users", "", "Every account of this installation"],
    ["users", "?q=zzz", "No such account"],
    ["workspaces", "", "Every workspace of this installation"],
    ["workspaces", "?q=zzz", "No such workspace"],
  ])("%s%s", async (name, search, text) => {
    await page.goto(tab(name, search));
    await page.getByText(text).first().waitFor();
    expect(await barriersInThemes(page)).toEqual([]);
  });

  it.each(["status", "users", "workspaces"])("%s, where the service fails, and works again", async name => {
    const failing = "**/v1/operator/**";
    const problem = { status: 503, code: "unavailable", title: "Unavailable at the moment", requestId: "r-1" };
    await page.route(failing, route => route.fulfill({ status: 503, json: problem }));
    await page.goto(tab(name));
    const again = page.getByRole("button", { name: "Try again" }).first();
    await again.waitFor();
    await page.getByText("The operator sees the cause at /health/ready.").first().waitFor();
    expect(await barriersInThemes(page)).toEqual([]);
    await page.unroute(failing);
    await again.click();
    await page
      .getByText(CHIEF.email)
      .or(page.getByText("Queue and workers"))
      .or(page.getByText(ada.slug))
      .first()
      .waitFor();
  });

  it("their dialogs", async () => {
    const open = async (on: string, of: string, what: string, role: "dialog" | "alertdialog") => {
      await page.goto(tab(on));
      await act(page, of, what);
      await page.getByRole(role).waitFor();
      expect(await barriersInThemes(page)).toEqual([]);
    };
    await open("users", ada.email, "Make a link for a new password", "dialog");
    await open("users", ada.email, "Delete account", "alertdialog");
    for (const what of ["Quotas", "Change owner", "Delete workspace"])
      await open("workspaces", "Analytical Engines", what, "dialog");
  });
});
