import type { Page } from "playwright-core";
import { runToEnd } from "../support/api.ts";
import { definition, gives } from "../support/definition.ts";
import { barriers } from "./support/barriers.ts";
import { visit } from "./support/browser.ts";
import { enter } from "./support/person.ts";
import { ada, browser, server } from "./support/scene.ts";

const GONE = "00000000-0000-4000-8000-000000000000";

/** Every address that leads to nothing says the same, and leads home. */
const said = (page: Page) =>
  page
    .getByRole("alert")
    .filter({ hasText: "Not foundIt does not exist, or you have no access to it." })
    .getByRole("link", { name: "Home", exact: true })
    .waitFor();

it("an unknown address needs no sign-in to say so", async () => {
  const { context, page, guard } = await visit(browser, server.url);
  guard.allow(/status of 404/);
  const response = await page.goto(`${server.url}/nothing/at/all`);
  expect(response?.status()).toBe(404);
  await page.getByRole("heading", { name: "Not found" }).waitFor();
  await said(page);
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("link", { name: "Home" }).click();
  await page.waitForURL(/\/sign-in/);
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("a missing resource can be searched for by the id in the URL", async () => {
  const { context, page, guard } = await visit(browser, server.url);
  await enter(context, server.url, ada);
  guard.allow(/status of 404/);
  const { slug, workspaceId } = ada;
  const space = `s/${workspaceId}`;
  const paths = [
    `${space}/runs/${GONE}`,
    `${space}/f/${GONE}`,
    `${space}/f/${GONE}/versions`,
    `knowledge/${GONE}`,
    `tools/servers/${GONE}`,
    `tools/apis/${GONE}`,
    `runs/${GONE}/vs/${GONE}`,
  ];
  for (const path of paths) {
    await page.goto(`${server.url}/w/${slug}/${path}`);
    const search = page.getByRole("button", { name: "Search for 00000000…" });
    await search.waitFor();
    await said(page);
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    await search.click();
    const field = page.getByRole("dialog").getByRole("combobox");
    await field.waitFor();
    expect(await field.inputValue()).toBe(GONE);
    await page.getByText("Nothing matches").waitFor();
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
  }
  expect(await barriers(page)).toEqual([]);
  await page.goto(`${server.url}/w/${slug}/nothing`);
  await page.getByRole("heading", { name: "Not found" }).waitFor();
  await said(page);
  expect(await page.locator("main").count()).toBe(1);
  expect(await barriers(page)).toEqual([]);
  for (const path of ["/me/nothing", "/operator/status/nothing", "/nothing", "/health/nothing"]) {
    await page.goto(server.url + path);
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    await said(page);
    await page
      .getByRole("navigation", { name: "Your account" })
      .getByRole("link", { name: /^Back to/ })
      .waitFor();
    expect(await page.locator("main").count()).toBe(1);
  }
  // The palette of the bar begins empty, as before.
  await page.keyboard.press("Control+k");
  const field = page.getByRole("dialog").getByRole("combobox");
  await field.waitFor();
  expect(await field.inputValue()).toBe("");
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("a version that does not exist leads to the newest version", async () => {
  const { body } = await ada.api.post(`${ada.space}/workflows`, { name: "Of one version" });
  const { context, page, guard } = await visit(browser, server.url);
  await enter(context, server.url, ada);
  guard.allow(/status of 404/);
  const versions = `${server.url}/w/${ada.slug}/s/${ada.workspaceId}/f/${body.id as string}/versions`;
  await page.goto(`${versions}?v=9`);
  await page.getByText("There is no version 9").waitFor();
  expect(await page.getByRole("button", { name: /^Search for/ }).count()).toBe(0);
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Show v1" }).click();
  await page.waitForURL(`${versions}?v=1`);
  await page.getByRole("heading", { name: "Version 1", exact: true }).waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("an error in a narrow column keeps the width of its text, with its button below", async () => {
  const { id } = await runToEnd(ada.api, ada.space, definition([gives("a", 1)]));
  const { context, page, guard } = await visit(browser, server.url);
  await enter(context, server.url, ada);
  guard.allow(/status of 403/);
  const problem = {
    type: "about:blank",
    title: "Forbidden",
    status: 403,
    code: "forbidden",
    detail: "Ask an admin for it.",
  };
  await page.route(/\/steps(\?|$)/, route =>
    route.fulfill({ status: 403, contentType: "application/problem+json", body: JSON.stringify(problem) }),
  );
  await page.goto(`${server.url}/w/${ada.slug}/s/${ada.workspaceId}/runs/${id as string}`);
  const alert = page.getByRole("alert").first();
  const [button, text] = [alert.getByRole("button", { name: "Try again" }), alert.getByText("Ask an admin for it.")];
  await button.waitFor();
  const [column, below, said] = [await alert.boundingBox(), await button.boundingBox(), await text.boundingBox()];
  expect(below!.y).toBeGreaterThanOrEqual(said!.y + said!.height);
  expect(said!.width).toBeGreaterThan(column!.width * 0.8);
  expect(guard.faults).toEqual([]);
  await context.close();
});
