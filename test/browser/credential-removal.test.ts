import { execFileSync } from "node:child_process";
import type { Browser } from "playwright-core";
import { newWorkflow } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { barriers } from "./support/barriers.ts";
import { openBrowser, visit } from "./support/browser.ts";
import { enter, newPerson } from "./support/person.ts";

let server: Server;
let browser: Browser;
beforeAll(async () => {
  execFileSync("node", ["scripts/build-console.ts"]);
  [server, browser] = await Promise.all([startServer(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await removeServer(server);
});

test("a credential in use is deleted only after the page has named what fails", async () => {
  const ada = await newPerson(server.url);
  const credentials = `/v1/workspaces/${ada.workspaceId}/credentials`;
  const secret = { name: "Shop", type: "bearer", hosts: ["shop.example"], data: { token: "t0ken" } };
  const { body } = await ada.api.post(credentials, secret);
  const calls = node("call", "http", { url: "https://shop.example/orders", credential: body.id });
  const workflowId = await newWorkflow(ada.api, ada.space, definition([calls]));
  await ada.api.patch(`${ada.space}/workflows/${workflowId}`, { name: "Fetch orders" });
  expect((await ada.api.post(`${ada.space}/workflows/${workflowId}/deploy`)).status).toBe(200);
  const { context, page, guard } = await visit(browser, server.url);
  // The refusal that the page asks for is noted on the console of the browser.
  guard.allow(/status of 409/);
  await enter(context, server.url, ada);
  await page.goto(`${server.url}/w/${ada.slug}/settings/credentials`);
  await page.getByRole("button", { name: "Acts on Shop" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await dialog.getByText("Fetch orders").waitFor();
  expect(await barriers(page)).toEqual([]);
  expect((await ada.api.get(`${credentials}/${body.id as string}`)).status).toBe(200);
  await dialog.getByRole("button", { name: "Delete anyway" }).click();
  await page.getByText("Credential deleted").waitFor();
  expect((await ada.api.get(`${credentials}/${body.id as string}`)).status).toBe(404);
  expect(guard.faults).toEqual([]);
  await context.close();
});
