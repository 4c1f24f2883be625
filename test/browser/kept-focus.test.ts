import type { Page } from "playwright-core";
import { newWorkflow } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { untilEvent } from "../support/follow.ts";
import { visit } from "./support/browser.ts";
import { enter } from "./support/person.ts";
import { ada, browser, server } from "./support/scene.ts";

const focused = (page: Page) => page.locator(":focus");

test("what a press removes from the page leaves the focus nearby", async () => {
  const asks = definition([node("ask", "human", { prompt: "Ship it?" })]);
  const workflowId = await newWorkflow(ada.api, ada.space, asks);
  const { body } = await ada.api.post(`${ada.space}/executions`, { workflowId });
  const run = body.id as string;
  await untilEvent(ada.api, `${ada.space}/executions/${run}`, "execution.suspended");
  const { context, page, guard } = await visit(browser, server.url);
  await enter(context, server.url, ada);

  // The values of a step lead back to the steps.
  await page.goto(`${server.url}/w/${ada.slug}/s/${ada.workspaceId}/runs/${run}?n=ask&view=graph`);
  await page.getByRole("application").waitFor();
  await page.getByRole("button", { name: "Close" }).press("Enter");
  await page.locator("[role=tree]:focus").waitFor();
  await page.keyboard.press("ArrowDown");
  const values = page.getByRole("complementary", { name: /ask/ });
  await values.waitFor();
  // A form keeps what was written.
  await page.getByRole("button", { name: "Approve" }).focus();
  await page.keyboard.press("Escape");
  await values.getByRole("tab").first().focus();
  await page.keyboard.press("Escape");
  await values.waitFor({ state: "detached" });
  await page.locator("[role=tree]:focus").waitFor();
  // On a narrow screen they cover the steps.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("tab", { name: "Steps" }).click();
  await page.getByRole("treeitem").first().click();
  await values.waitFor();
  await page.keyboard.press("Escape");
  await page.locator("[role=tree]:focus").waitFor();
  await page.setViewportSize({ width: 1440, height: 900 });

  // An answer leads to its outcome, and from there to the next question.
  await page.goto(`${server.url}/w/${ada.slug}/approvals`);
  await page.getByRole("button", { name: "Approve", exact: true }).press("Enter");
  await page.getByRole("heading", { name: "You approved" }).waitFor();
  expect(await focused(page).getByRole("heading", { name: "You approved" }).count()).toBe(1);

  // Letters move the focus with the selection, and Enter leads to what is selected.
  await page.goto(`${server.url}/w/${ada.slug}/approvals?show=answered`);
  await page.getByRole("heading", { name: "You approved this" }).waitFor();
  await page.keyboard.press("j");
  await page.locator("[aria-current]:focus").waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(await focused(page).getAttribute("href")).toContain(run);

  // Cleared searches keep their field.
  await page.goto(`${server.url}/w/${ada.slug}/runs`);
  await page.getByRole("searchbox").fill("nothing like this");
  await page.getByRole("button", { name: "Clear" }).first().press("Enter");
  expect(await focused(page).getAttribute("type")).toBe("search");

  // A form takes the place of its button.
  await page.goto(`${server.url}/w/${ada.slug}/memory`);
  await page.getByRole("button", { name: "Someone else" }).press("Enter");
  expect(await focused(page).getAttribute("maxlength")).toBe("200");

  await page.goto(`${server.url}/me/notifications`);
  const all = page.getByRole("button", { name: "Mark all as read" });
  await page
    .getByText(/waits for/)
    .first()
    .waitFor();
  await all.press("Enter");
  await page.locator("button:focus[aria-disabled=true]:not([aria-busy])").waitFor();

  // A try that fails again leads back to its button.
  guard.allow(/ERR_FAILED/);
  await page.route("**/webhooks*", route =>
    route.request().resourceType() === "fetch" ? route.abort() : route.continue(),
  );
  await page.goto(`${server.url}/w/${ada.slug}/webhooks`);
  await page.getByRole("button", { name: "Try again" }).press("Enter");
  await page.getByText("Loading").first().waitFor({ state: "attached" });
  await focused(page)
    .and(page.getByRole("button", { name: "Try again" }))
    .waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});

/** Whether the middle of what has the focus is in sight. */
const IN_SIGHT = `(() => {
  const { left, top, width, height } = document.activeElement.getBoundingClientRect();
  return document.activeElement.contains(document.elementFromPoint(left + width / 2, top + height / 2));
})()`;

test("no bar at the edge of a page covers the field that has the focus", async () => {
  const names = Array.from({ length: 16 }, (_, n) => `Field ${n + 1}`);
  const form = { type: "object", properties: Object.fromEntries(names.map(name => [name, { type: "string" }])) };
  const asks = definition([node("ask", "human", { prompt: "Ship it?", form })]);
  const workflowId = await newWorkflow(ada.api, ada.space, asks);
  const { body } = await ada.api.post(`${ada.space}/executions`, { workflowId });
  await untilEvent(ada.api, `${ada.space}/executions/${body.id as string}`, "execution.suspended");
  const { context, page, guard } = await visit(browser, server.url, { viewport: { width: 390, height: 600 } });
  await enter(context, server.url, ada);
  await page.goto(`${server.url}/a/${ada.workspaceId}/${body.id as string}`);
  await page.getByLabel(names[0]!, { exact: true }).focus();
  for (const key of ["Tab", "Shift+Tab"]) {
    for (let moves = 1; moves < names.length; moves++) {
      await page.keyboard.press(key);
      expect(await page.evaluate(IN_SIGHT)).toBe(true);
    }
  }
  expect(guard.faults).toEqual([]);
  await context.close();
});
