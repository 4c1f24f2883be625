import { execFileSync } from "node:child_process";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { newWorkflow } from "../support/api.ts";
import { addMembers } from "../support/members.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { barriers } from "./support/barriers.ts";
import { openBrowser, visit, type Visit } from "./support/browser.ts";
import { enter, newPerson, type Person } from "./support/person.ts";

// The embedded store, also where other suites use servers: a limit for its files is its full disk.
const OPTIONS = { env: { MONGODB_URI: "", QDRANT_URL: "" } };

let server: Server;
let browser: Browser;
let ada: Person;
let grace: Person;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(OPTIONS), openBrowser()]);
  [ada, grace] = await Promise.all([newPerson(server.url), newPerson(server.url, "Grace Hopper", "Compilers")]);
  const { id: userId } = (await grace.api.get("/v1/auth/me")).body as { id: string };
  await addMembers(server.dataDir, [{ workspaceId: ada.workspaceId, userId, role: "editor" }]);
});
afterAll(async () => {
  await browser?.close();
  await removeServer(server);
});

const step = (id: string, x: number, value = "{{ input }}") => ({
  ...{ id, type: "transform", name: id.toUpperCase(), position: { x, y: 0 }, data: { value } },
});
const CHAIN = {
  nodes: [step("first", 0), step("second", 304)],
  edges: [{ source: "first", target: "second" }],
};
/** With a field of JSON. */
const STARTED = { nodes: [{ ...step("start", 0), type: "trigger", data: {} }], edges: [] };

const nameField = (page: Page) => page.getByLabel("Name of the workflow");
const canvas = (page: Page) => page.getByRole("application", { name: /^Workflow of/ });
const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const named = async (page: Page) => nameField(page).inputValue();
const stored = async (id: string) => (await ada.api.get(`${ada.space}/workflows/${id}`)).body;
const save = (page: Page) => page.keyboard.press("Control+s");
const close = async (...contexts: BrowserContext[]) => void (await Promise.all(contexts.map(each => each.close())));

async function opened(person: Person, id: string, prepare?: (page: Page) => Promise<unknown>): Promise<Visit> {
  const seen = await visit(browser, server.url);
  await enter(seen.context, server.url, person);
  await prepare?.(seen.page);
  await seen.page.goto(`${server.url}/w/${ada.slug}/s/${ada.workspaceId}/f/${id}`);
  await canvas(seen.page).waitFor();
  return seen;
}

describe("text typed in the builder", () => {
  it("survives a killed service, a lost network and an expired session", async () => {
    const id = await newWorkflow(ada.api, ada.space, CHAIN);
    // The code of the form, which the page requests when a step is selected.
    const form = "**/assets/inspector-*.js";
    const { context, page } = await opened(ada, id, page => page.route(form, route => route.abort()));
    await canvas(page).getByText("FIRST").click();
    await says(page, "A part of this page could not be loaded");
    await nameField(page).fill("Typed before");
    await server.stop("SIGKILL");
    await nameField(page).fill("Typed without a service");
    await says(page, "Draft, kept here");
    await save(page);
    await says(page, /^Not saved, draft kept here: /);
    // The reason is read as a whole.
    const label = page.getByRole("status").filter({ hasText: "Not saved" }).locator("span");
    const hidden = await label.evaluate(shown => {
      const box = shown as unknown as Record<`${"scroll" | "client"}${"Width" | "Height"}`, number>;
      return [box.scrollWidth - box.clientWidth, box.scrollHeight - box.clientHeight];
    });
    expect(hidden).toEqual([0, 0]);
    server = await startServer({ ...OPTIONS, dataDir: server.dataDir, port: Number(new URL(server.url).port) });
    await page.unroute(form);
    await page.getByRole("tab", { name: "Set up" }).waitFor();
    await save(page);
    await says(page, "Saved v2");
    expect((await stored(id)).name).toBe("Typed without a service");

    await context.setOffline(true);
    await nameField(page).fill("Typed offline");
    await says(page, "Draft, kept here");
    // Nothing is typed after this: the draft reaches the service because the network is back.
    await page.waitForEvent("requestfailed", request => request.url().endsWith("/draft"));
    await context.setOffline(false);
    await says(page, /^Draft, kept$/);
    expect((await ada.api.get(`${ada.space}/workflows/${id}/draft`)).body.name).toBe("Typed offline");

    const { body } = await ada.api.get("/v1/auth/sessions");
    await nameField(page).fill("Typed at the end of a session");
    for (const one of body as { id: string; current: boolean }[]) {
      if (!one.current) await ada.api.delete(`/v1/auth/sessions/${one.id}`);
    }
    await save(page);
    await page.getByLabel("E-mail").fill(ada.email);
    await page.getByLabel("Password", { exact: true }).fill(ada.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await canvas(page).waitFor();
    expect(await named(page)).toBe("Typed at the end of a session");
    await save(page);
    await says(page, "Saved v3");
    expect((await stored(id)).name).toBe("Typed at the end of a session");
    await close(context);
  });

  it("stays in the browser when the service's disk or the browser's storage is full, and the builder says so", async () => {
    const id = await newWorkflow(ada.api, ada.space, STARTED);
    const { context, page } = await opened(ada, id);
    const limit = (bytes: string) =>
      execFileSync("prlimit", ["--pid", `${server.process.pid}`, `--fsize=${bytes}:unlimited`]);
    limit("1");
    await nameField(page).fill("No room there");
    await save(page);
    await says(page, /^Not saved, draft kept here: The service is temporarily unavailable/);
    limit("unlimited");
    await save(page);
    await says(page, "Saved v2");

    const quota = await context.newCDPSession(page);
    await quota.send("Storage.overrideQuotaForOrigin", { origin: server.url, quotaSize: 1 });
    await context.route(/\/draft$/, route => (route.request().method() === "PATCH" ? route.abort() : route.continue()));
    await nameField(page).fill("No room here");
    await says(page, "Draft, kept here");
    // Text that is not JSON yet is in no step, and is kept all the same.
    await canvas(page).focus();
    await page.keyboard.press("Home");
    await page.getByRole("textbox", { name: "Example" }).click();
    await page.locator("[data-editor] .cm-content").waitFor();
    await page.keyboard.type("[12, ");
    await page.reload();
    await canvas(page).waitFor();
    expect(await named(page)).toBe("No room here");
    await page.getByRole("textbox", { name: "Example" }).filter({ hasText: "[12, " }).waitFor();

    // A draft that only this browser has is asked about when the person signs out, and is there afterwards.
    await page.getByRole("button", { name: /Ada Lovelace/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    const question = page.getByRole("dialog", { name: "Sign out with unsaved changes?" });
    await question.getByText("No room here").waitFor();
    await question.getByRole("button", { name: "Keep them and sign out" }).click();
    await page.getByLabel("E-mail").waitFor();
    await enter(context, server.url, ada);
    await page.goto(`${server.url}/w/${ada.slug}/s/${ada.workspaceId}/f/${id}`);
    await canvas(page).waitFor();
    expect(await named(page)).toBe("No room here");
    await close(context);
  });

  it("is merged with a colleague's save; the colleague is shown, versions list their changes, and an older version can be deployed", async () => {
    const id = await newWorkflow(ada.api, ada.space, CHAIN);
    await ada.api.post(`${ada.space}/workflows/${id}/deploy`);
    const calls = { nodes: [{ id: "call", type: "subworkflow", data: { workflowId: id } }], edges: [] };
    await ada.api.post(`${ada.space}/workflows`, { name: "Parent", definition: calls });
    const [one, two] = await Promise.all([opened(ada, id), opened(grace, id)]);
    await canvas(two.page).focus();
    await two.page.keyboard.press("Home");
    await two.page.keyboard.press("d");
    await one.page.getByRole("button", { name: "Grace Hopper is editing “FIRST”" }).waitFor();
    await canvas(one.page).focus();
    await one.page.keyboard.press("End");
    await one.page.keyboard.press("ArrowRight");
    await nameField(one.page).fill("Named by Ada");
    await one.page.keyboard.press("Control+Shift+S");
    const saving = one.page.getByRole("dialog", { name: "Save v2" });
    await saving.getByText("Named by Ada").waitFor();
    await saving.getByLabel("What changed?").fill("A better name");
    expect(await barriers(one.page)).toEqual([]);
    await saving.getByRole("button", { name: "Save", exact: true }).click();
    await says(one.page, "Saved v2");
    await save(two.page);
    const merging = two.page.getByRole("dialog", { name: "Others changed this workflow" });
    await merging.getByRole("heading", { name: "What Ada Lovelace changed" }).waitFor();
    await merging.getByText("Named by Ada").waitFor();
    await two.page.getByRole("button", { name: "Merge and save" }).click();
    await says(two.page, "Saved v3");
    expect(await named(two.page)).toBe("Named by Ada");
    const { name, definition } = await stored(id);
    expect([name, definition.nodes[0].disabled]).toEqual(["Named by Ada", true]);

    // Ada's page deploys what it shows, and no version that it does not know.
    await one.page.goto(`${one.page.url().split("?")[0]}/versions?v=2`);
    const versions = one.page.getByRole("navigation", { name: "Versions" });
    await versions.getByText("A better name").waitFor();
    await versions.getByText("Grace Hopper").waitFor();
    await one.page.getByRole("button", { name: "Deploy v2" }).click();
    const deploying = one.page.getByRole("dialog", { name: "Deploy v2" });
    await deploying.getByText("v2 replaces v1").waitFor();
    await deploying.getByText("Named by Ada").waitFor();
    await deploying.getByRole("region", { name: "Used by" }).getByText("Workflow Parent").waitFor();
    expect(await barriers(one.page)).toEqual([]);
    await deploying.getByLabel("What changed?").fill("Without the disabled step");
    await deploying.getByRole("button", { name: "Deploy", exact: true }).click();
    await one.page.getByText("v2 is live").waitFor();
    await versions.getByRole("button", { name: /^v2\s*live/ }).waitFor();
    const { body } = await ada.api.get(`${ada.space}/workflows/${id}/deployments`);
    expect(body[0]).toMatchObject({ version: 2, previousVersion: 1, message: "Without the disabled step" });
    expect([...one.guard.faults, ...two.guard.faults].filter(fault => !fault.includes("412"))).toEqual([]);
    await close(one.context, two.context);
  });
});

describe("a page whose code is not loaded yet", () => {
  const begun = "globalThis.isSameDocument = true";
  const isSameDocument = (page: Page) => page.evaluate<boolean>("'isSameDocument' in globalThis");
  const place = (page: Page, name: string) =>
    page.getByRole("navigation", { name: "Workspace" }).first().getByRole("link", { name, exact: true });

  async function home(): Promise<Visit> {
    const seen = await visit(browser, server.url);
    await enter(seen.context, server.url, ada);
    await seen.page.goto(`${server.url}/w/${ada.slug}`);
    await seen.page.getByRole("heading", { level: 1 }).waitFor();
    await seen.page.evaluate(begun);
    return seen;
  }

  it("opens as soon as a service that is away answers again", async () => {
    const { context, page, quiet } = await home();
    const list = await context.newPage();
    await list.goto(`${server.url}/w/${ada.slug}/memory`);
    await list.getByText("Nothing is remembered yet").waitFor();
    await quiet();
    await server.stop("SIGKILL");
    await list.getByRole("button", { name: "Superseded statements" }).click();
    await list.getByRole("alert").getByText("Weft cannot be reached").waitFor();
    await place(page, "Files").click();
    await page.getByRole("alert").getByText("Weft cannot be reached").waitFor();
    expect(new URL(page.url()).pathname).toBe(`/w/${ada.slug}/files`);
    expect(await barriers(page)).toEqual([]);
    server = await startServer({ ...OPTIONS, dataDir: server.dataDir, port: Number(new URL(server.url).port) });
    await page.getByRole("heading", { name: "Files", level: 1 }).waitFor();
    expect(await isSameDocument(page)).toBe(true);
    // Rules of a style sheet that did not load cannot be read.
    await page.evaluate("[...document.styleSheets].map(sheet => sheet.cssRules.length)");
    // A list that could not be read is read again as well.
    await list.getByRole("alert").waitFor({ state: "detached" });
    await close(context);
  });

  it("opens in a new document after an update of the service, but pointing at its link keeps the document", async () => {
    const { context, page } = await home();
    let isOld = true;
    await page.route(/\/assets\/[^/]*\.js$/, route => (isOld ? route.fulfill({ status: 404 }) : route.continue()));
    for (const name of ["Memory", "Files", "Memory", "Files"]) {
      const refused = page.waitForResponse(response => response.status() === 404);
      await place(page, name).hover();
      await refused;
    }
    expect(await isSameDocument(page)).toBe(true);
    await place(page, "Memory").click();
    await page.waitForRequest(request => request.isNavigationRequest());
    isOld = false;
    await page.getByRole("heading", { name: "Memory", level: 1 }).waitFor();
    expect(await isSameDocument(page)).toBe(false);
    await close(context);
  });
});
