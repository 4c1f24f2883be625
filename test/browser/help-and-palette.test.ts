import type { Page } from "playwright-core";
import { until } from "../support/until.ts";
import { barriers } from "./support/barriers.ts";
import { visit, type Visit } from "./support/browser.ts";
import { enter } from "./support/person.ts";
import { seed } from "./support/seed.ts";
import { seedResources } from "./support/seed-resources.ts";
import { follow } from "./support/whole-console.ts";
import { ada, browser, server } from "./support/scene.ts";

let ids: Map<string, string>;
let made: { base: string; api: string };

beforeAll(async () => {
  ids = await seed(ada);
  made = await seedResources(ada);
});

async function open(path: string): Promise<Visit> {
  const visited = await visit(browser, server.url);
  await enter(visited.context, server.url, ada);
  await visited.page.goto(server.url + path);
  await visited.page.getByRole("heading").first().waitFor();
  return visited;
}

/** Gives the page of the documentation that opens by the key. */
async function docsFrom(page: Page, path: string): Promise<string> {
  await follow(server, page, path);
  await page.getByRole("heading").first().waitFor();
  await page.getByRole("button", { name: "Help", exact: true }).waitFor();
  const [opened] = await Promise.all([page.context().waitForEvent("page"), page.keyboard.press("?")]);
  await opened.waitForURL(/\/docs\//);
  await opened.close();
  return new URL(opened.url()).pathname;
}

it("pressing ? on every page opens the matching documentation page", async () => {
  const { context, page, guard } = await open("/me");
  const { slug, workspaceId } = ada;
  const [run] = (await ada.api.get(`${ada.space}/executions?limit=1`)).body as { id: string }[];
  const builder = `s/${workspaceId}/f/${ids.get("Ship an order")}`;
  const fitting: Record<string, string> = {
    ...{ "": "console", workflows: "workflows", runs: "runs", approvals: "runs", templates: "workflows" },
    ...{
      schedules: "workflows",
      webhooks: "webhooks",
      knowledge: "knowledge",
      [`knowledge/${made.base}`]: "knowledge",
    },
    ...{ tools: "mcp", [`tools/apis/${made.api}`]: "mcp", memory: "memory", playground: "models", files: "files" },
    ...{
      "settings/general": "workspaces",
      "settings/members": "workspaces",
      "settings/spaces": "workspaces",
      "settings/keys": "api",
    },
    ...{ "settings/credentials": "connections", "settings/variables": "connections", "settings/usage": "workspaces" },
    ...{ "settings/audit": "workspaces", [builder]: "steps", [`${builder}/versions`]: "steps" },
    [`s/${workspaceId}/runs/${run!.id}`]: "runs",
  };
  const paths = [
    ...Object.entries(fitting).map(([path, docs]) => [`/w/${slug}/${path}`, docs] as const),
    ...(["/me", "/me/notifications"] as const).map(path => [path, "accounts"] as const),
  ];
  const found: string[][] = [];
  for (const [path] of paths) found.push([path, await docsFrom(page, path)]);
  expect(found).toEqual(paths.map(([path, docs]) => [path, `/docs/${docs}`]));
  for (const target of new Set(found.map(([, href]) => href))) {
    const response = await fetch(server.url + target);
    expect([target, response.status]).toEqual([target, 200]);
    expect(await response.text()).toContain("<h1");
  }
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("the command palette finds every kind of item of the workspace, and opens it", async () => {
  const { context, page, guard } = await open(`/w/${ada.slug}/runs`);
  const find = async (typed: string, option: RegExp, there: string) => {
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await page.keyboard.press("Control+k");
    const field = page.getByRole("dialog").getByRole("combobox");
    await field.fill(typed);
    const item = page.getByRole("option", { name: option }).first();
    await item.waitFor();
    if (there === "knowledge") expect(await barriers(page)).toEqual([]);
    const before = await page.title();
    await item.click();
    await page.waitForURL(url => url.pathname.includes(`/${there}`) || url.search.includes(there));
    // A palette that is opened while the next page comes would be closed by it.
    await until(async () => (await page.title()) !== before);
  };
  await find("Handbook", /Handbook of the shop/, "knowledge");
  await find("Reserve each", /Reserve each line/, "n=each");
  await find("Warehouse", /Warehouse/, "");
  await find("SHOP", /SHOP/, "settings/variables");
  await find("Read an order", /Read an order/, "tool=");
  await page.getByRole("dialog", { name: /Read an order/ }).waitFor();
  await page.keyboard.press("Escape");
  await find("New orders", /New orders/, "webhooks");
  await find("Ada Love", /Ada Lovelace/, "settings/members");
  await find("Nightly report", /^Nightly report/, `f/${ids.get("Nightly report")}`);
  const [run] = (await ada.api.get(`${ada.space}/executions?limit=1`)).body as { id: string }[];
  await page.goto(`${server.url}/w/${ada.slug}/runs`);
  await find(run!.id, /./, `runs/${run!.id}`);
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill("nothing has this name");
  await page.getByText("Nothing matches").waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("keys that are pressed while the palette loads become its text", async () => {
  const { context, page, guard } = await open(`/w/${ada.slug}/settings`);
  await page.waitForURL("**/settings/general");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("openai");
  await page.getByRole("option", { name: "Credentials" }).waitFor();
  expect(await page.getByRole("dialog").getByRole("combobox").inputValue()).toBe("openai");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/settings/credentials");
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("a cut text is shown whole to the pointer and to the keyboard, and follows changes of the page", async () => {
  const long = "Charges ".repeat(20).trim();
  const changed = "Refunds ".repeat(20).trim();
  const { body } = await ada.api.post(`${ada.space}/workflows`, { name: long });
  const rename = (name: string) => ada.api.patch(`${ada.space}/workflows/${body.id as string}`, { name });
  const { context, page, guard } = await open(`/w/${ada.slug}/workflows`);
  const link = page.getByRole("link", { name: long, exact: true });
  const any = page.locator("[popover]");
  const tip = (text: string) => any.getByText(text, { exact: true });
  await link.hover({ position: { x: 20, y: 8 } });
  await tip(long).waitFor();
  await rename(changed);
  await tip(changed).waitFor();
  await rename("Refunds");
  await any.waitFor({ state: "detached" });

  await rename(long);
  await link.waitFor();
  await page.getByLabel("Filter workflows").focus();
  await page.keyboard.press("Tab");
  await link.focus();
  await tip(long).waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await any.waitFor({ state: "detached" });

  // The link of a run covers the other texts of its row.
  await page.goto(`${server.url}/w/${ada.slug}/runs?status=failed`);
  const detail = await page
    .getByText(/^The card ending in 4242/)
    .first()
    .boundingBox();
  await page.mouse.move(detail!.x + 5, detail!.y + 5);
  await any.getByText(/^The card ending in 4242 .* 47\d\d\)$/).waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("the collapsed sidebar names its icons", async () => {
  const { context, page, guard } = await open(`/w/${ada.slug}/runs`);
  await page.getByRole("button", { name: "Collapse sidebar" }).click();
  const places = page.getByRole("navigation", { name: "Workspace" });
  await places.getByRole("link", { name: "Schedules", exact: true }).focus();
  await page.keyboard.press("Tab");
  const link = (await places.getByRole("link", { name: "Webhooks", exact: true }).boundingBox())!;
  const name = (await page.getByText("Webhooks", { exact: true }).filter({ visible: true }).boundingBox())!;
  // Beside the icon, where it covers no other icon.
  expect(name.x).toBeGreaterThanOrEqual(link.x + link.width);
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Expand sidebar" }).click();
  await places.getByText("Webhooks").waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});
