import type { Locator } from "playwright-core";
import { newWorkflow } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { untilEnd } from "../support/follow.ts";
import { barriers, barriersInThemes } from "./support/barriers.ts";
import { visit } from "./support/browser.ts";
import { enter, join, newPerson } from "./support/person.ts";
import { ada, browser, server } from "./support/scene.ts";

describe("the page of a new installation", () => {
  it("leads a person from sign-up to an approved run without errors", async () => {
    const { context, page, guard } = await visit(browser, server.url);
    await page.goto(server.url);
    await page.getByRole("link", { name: "Sign up" }).click();
    await page.getByLabel("Name").fill("Grace Hopper");
    await page.getByLabel("E-mail").fill("grace@example.com");
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
    await page.getByRole("button", { name: "Sign up" }).click();
    await page.getByRole("heading", { name: "Hello Grace" }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole("button", { name: /^Ask a person/ }).click();
    const run = page.getByRole("dialog").getByRole("button", { name: "Run" });
    await run.waitFor();
    // It is closed, and the same act is shown in the bar.
    type Styles = { getComputedStyle: (one: unknown) => { animationName: string } };
    // The tests have no types of the page.
    const animation = (button: Locator) =>
      button.evaluate(one => (globalThis as unknown as Styles).getComputedStyle(one).animationName);
    expect(await animation(run)).toMatch(/pulse/);
    await page.keyboard.press("Escape");
    const inBar = page.getByRole("main").getByRole("button", { name: "Run", exact: true });
    await run.waitFor({ state: "detached" });
    expect(await animation(inBar)).toMatch(/pulse/);
    await page.emulateMedia({ reducedMotion: "reduce" });
    expect(await animation(inBar)).toBe("none");
    await page.emulateMedia({ reducedMotion: null });
    await inBar.click();
    await run.click();
    const strip = page.locator("[data-run]");
    await strip.getByText("Asks", { exact: true }).waitFor();
    await strip.getByRole("button", { name: "Answer" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
    await page.keyboard.press("Escape");
    await strip.getByText("Completed", { exact: true }).waitFor();
    await strip.getByRole("button", { name: "Deploy it" }).waitFor();
    await strip.getByRole("link", { name: "Add a schedule" }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await strip.getByRole("link", { name: "Invite a colleague" }).click();
    await page.getByRole("dialog").getByLabel("E-mail address").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Home" }).first().click();
    await page.getByRole("heading", { name: "Next steps" }).waitFor();
    await page.getByRole("listitem").filter({ hasText: "Done: Complete a first run" }).waitFor();
    const deploy = page.getByRole("link", { name: "Deploy a workflow" });
    await page.getByRole("button", { name: "Hide the hint: Deploy a workflow" }).click();
    await deploy.waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("link", { name: "Invite a colleague" }).waitFor();
    expect(await deploy.count()).toBe(0);
    await page.goto(`${server.url}/w/grace-s-workspace/runs`);
    await page.getByRole("link", { name: "Approve an expense" }).waitFor();
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("suggests next steps until all are done, however many workflows there are", async () => {
    const own = await newPerson(server.url, "Ida Rhodes", "Tables");
    const { api, space } = own;
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await newWorkflow(api, space, definition([node("start", "trigger")])));
    const { context, page, guard, quiet } = await visit(browser, server.url);
    await enter(context, server.url, own);
    await page.goto(`${server.url}/w/${own.slug}`);
    await page.getByRole("link", { name: "Invite a colleague" }).waitFor();
    const workflowId = ids[0]!;
    const { body } = await api.post(`${space}/executions`, { workflowId });
    await untilEnd(api, `${space}/executions/${body.id as string}`);
    await api.post(`${space}/workflows/${workflowId}/deploy`, {});
    await api.post(`${space}/webhooks`, { workflowId });
    await join(own, await newPerson(server.url, "Joan Clarke", "Hut 8"), "editor");
    await page.reload();
    await page.getByRole("heading", { name: "Hello Ida" }).waitFor();
    await quiet();
    expect(await page.getByRole("heading", { name: "Next steps" }).count()).toBe(0);
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("draws the frame before any script has loaded, and says if none loads", async () => {
    const { context, page, guard } = await visit(browser, server.url);
    guard.allow(/net::ERR_FAILED/);
    await enter(context, server.url, ada);
    await page.goto(`${server.url}/w/${ada.slug}`);
    await page.getByRole("heading", { name: "Hello Ada" }).waitFor();
    expect(await page.locator(".frame").isVisible()).toBe(false);
    const scripts = (url: URL) => /\/assets\/index-.*\.js$/.test(url.pathname);
    await context.route(scripts, () => undefined);
    await page.reload({ waitUntil: "commit" });
    const name = page.locator(".frame-name");
    await name.waitFor();
    // The shell takes its place without a move.
    const [held, rail] = [await name.boundingBox(), await page.locator(".frame-mark").boundingBox()];
    expect([held?.x, rail?.x, rail?.width]).toEqual([48, 16, 24]);
    await context.unroute(scripts);
    await context.route(scripts, route => route.abort());
    await page.reload();
    await page.getByRole("alert").getByText("Weft could not be loaded.").waitFor();
    await context.unroute(scripts);
    await page.getByRole("link", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Hello Ada" }).waitFor();
    const gap = "document.querySelector('aside').getBoundingClientRect().width";
    expect(await page.evaluate(gap)).toBe(224);
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it.each([
    ["invite", "Ask for an invitation: Ada, ada@example.com"],
    ["closed", "Ask for an account: Ada, ada@example.com"],
  ])("says whom to ask if registration is %s", async (registration, text) => {
    const { context, page, guard } = await visit(browser, server.url);
    await page.route("**/v1/installation", async route => {
      const response = await route.fetch();
      const told = (await response.json()) as object;
      await route.fulfill({ response, json: { ...told, registration, contact: "Ada, ada@example.com" } });
    });
    await page.goto(`${server.url}/sign-up`);
    await page.getByRole("heading", { name: "Registration is closed" }).waitFor();
    await page.getByText(text).waitFor();
    expect(await page.getByLabel("E-mail").count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Sign in to Weft" }).waitFor();
    expect(guard.faults).toEqual([]);
    await context.close();
  });

  it("keeps the session after a reload, and signs out in all tabs", async () => {
    const { context, page } = await visit(browser, server.url);
    await enter(context, server.url, ada);
    await page.goto(`${server.url}/me`);
    await page.getByRole("heading", { name: "Your account" }).waitFor();
    await page.reload();
    const other = await context.newPage();
    await other.goto(`${server.url}/me`);
    await other.getByRole("heading", { name: "Your account" }).waitFor();
    await page.getByRole("button", { name: "Your account" }).first().click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    for (const tab of [page, other]) await tab.waitForURL(/\/sign-in/);
    expect(await context.cookies()).toEqual([]);
    await context.close();
  });

  it("stores no token in the browser", async () => {
    const { context, page } = await visit(browser, server.url);
    await enter(context, server.url, ada);
    await page.goto(`${server.url}/w/${ada.slug}`);
    await page.getByRole("heading", { name: "Hello Ada" }).waitFor();
    const kept = JSON.stringify(await context.storageState({ indexedDB: true }).then(({ origins }) => origins));
    expect(kept).not.toMatch(/eyJ|wfr_/);
    await context.close();
  });
});

it.each(["/sign-in", "/sign-up"])("%s has no accessibility violations in either theme", async path => {
  const { context, page, guard } = await visit(browser, server.url);
  await page.goto(server.url + path);
  await page.getByLabel("E-mail").waitFor();
  expect(await barriersInThemes(page)).toEqual([]);
  expect(guard.faults).toEqual([]);
  await context.close();
});
