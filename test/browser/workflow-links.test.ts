import { newWorkflow } from "../support/api.ts";
import { definition, gives } from "../support/definition.ts";
import { barriers } from "./support/barriers.ts";
import { visit } from "./support/browser.ts";
import { enter } from "./support/person.ts";
import { ada, browser, server } from "./support/scene.ts";

let mine: string;

beforeAll(async () => {
  const other = await newWorkflow(ada.api, ada.space, definition([gives("a", 1)]));
  mine = await newWorkflow(ada.api, ada.space, definition([gives("a", 2)]));
  for (const [workflowId, timezone] of [
    [other, "Asia/Tokyo"],
    [mine, "Europe/Berlin"],
  ]) {
    await ada.api.post(`${ada.space}/schedules`, { workflowId, cronExpr: "0 9 * * *", timezone });
    await ada.api.post(`${ada.space}/webhooks`, { workflowId, name: `From ${timezone}` });
  }
});

it("the runs, triggers and versions of a workflow have URLs below the workflow's URL", async () => {
  const { context, page, guard } = await visit(browser, server.url);
  await enter(context, server.url, ada);
  const path = `${server.url}/w/${ada.slug}/s/${ada.workspaceId}/f/${mine}`;
  await page.goto(`${path}/runs`);
  await page.waitForURL(url => url.pathname.endsWith("/runs") && url.searchParams.get("workflow") === mine);

  await page.goto(`${path}/triggers`);
  await page.getByText("Only those of").waitFor();
  await page.getByText("Europe/Berlin").first().waitFor();
  expect(await page.getByText("Asia/Tokyo").count()).toBe(0);
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("main").getByRole("link", { name: "Webhooks" }).click();
  await page.getByRole("button", { name: "Open From Europe/Berlin" }).waitFor();
  expect(await page.getByRole("button", { name: "Open From Asia/Tokyo" }).count()).toBe(0);
  await page.getByRole("link", { name: "Show all" }).click();
  await page.getByRole("button", { name: "Open From Asia/Tokyo" }).waitFor();

  await page.goto(`${path}?v=1`);
  await page.waitForURL(url => url.pathname.endsWith("/versions") && url.searchParams.get("v") === "1");
  await page.getByRole("application").first().waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});
