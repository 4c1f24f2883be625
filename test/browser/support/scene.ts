import type { Browser } from "playwright-core";
import type { Server } from "../../support/server.ts";
import { sharedServer } from "../../support/shared.ts";
import { openBrowser } from "./browser.ts";
import { newPerson, type Person } from "./person.ts";

/**
 * The shared server, a browser, and a person with a workspace, for a suite that needs no special ones. Importing this
 * module prepares them for the suite: Jest loads the module once for each test file.
 */
export let server: Server;
export let browser: Browser;
export let ada: Person;

beforeAll(async () => {
  [server, browser] = await Promise.all([sharedServer(), openBrowser()]);
  ada = await newPerson(server.url);
});
afterAll(() => browser?.close());
