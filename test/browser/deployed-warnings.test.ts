import type { Browser } from "playwright-core";
import { definition, node } from "../support/definition.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";
import { barriers } from "./support/barriers.ts";
import { openBrowser, visit } from "./support/browser.ts";
import { enter, newPerson, type Person } from "./support/person.ts";

let server: Server;
let browser: Browser;
let ada: Person;
beforeAll(async () => {
  [server, browser] = await Promise.all([sharedServer(), openBrowser()]);
  ada = await newPerson(server.url, "Ada Lovelace");
});
afterAll(() => browser.close());

it("names the steps of the deployed version that current validation would reject", async () => {
  const { api, space } = ada;
  const faulty = node("check", "http", { url: "https://shop.example/orders", retrys: 3 }, { name: "Read the order" });
  const { body } = await api.post(`${space}/workflows`, { name: "Orders", definition: definition([faulty]) });
  const path = `${space}/workflows/${body.id as string}`;
  expect((await api.post(`${path}/deploy`, { force: true })).status).toBe(200);
  const { page, context, guard } = await visit(browser, server.url);
  await enter(context, server.url, ada);
  await page.goto(`${server.url}/w/${ada.slug}/s/${body.spaceId as string}/f/${body.id as string}`);
  await page.getByText("Version 1 is live and still runs, but would be refused today").waitFor();
  await page.getByRole("button", { name: "Show", exact: true }).click();
  const [place] = await page.getByRole("listitem").filter({ hasText: "Unknown key" }).allInnerTexts();
  expect(place).toMatch(/^Read the order\s+Unknown key `retrys`/);
  expect(await barriers(page)).toEqual([]);
  expect(guard.faults).toEqual([]);
  await context.close();
});
