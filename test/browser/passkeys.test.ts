import type { Browser } from "playwright-core";
import { freePort } from "../support/free-port.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { barriers } from "./support/barriers.ts";
import { openBrowser, visit } from "./support/browser.ts";
import { enter, join, newPerson } from "./support/person.ts";

let server: Server;
let browser: Browser;
/** Passkeys belong to a name, so the page is not at the address of the machine. */
let site: string;

beforeAll(async () => {
  const port = await freePort();
  site = `http://localhost:${port}`;
  [server, browser] = await Promise.all([startServer({ port, env: { PUBLIC_URL: site } }), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await removeServer(server);
});

const AUTHENTICATOR = {
  protocol: "ctap2" as const,
  transport: "internal" as const,
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
};

it("a person creates a passkey, signs in with it, and requires a second factor for the workspace", async () => {
  const ada = await newPerson(site);
  const grace = await newPerson(site, "Grace Hopper", "Compilers");
  await join(ada, grace, "editor");
  const { context, page, guard } = await visit(browser, site);
  const client = await context.newCDPSession(page);
  await client.send("WebAuthn.enable");
  await client.send("WebAuthn.addVirtualAuthenticator", { options: AUTHENTICATOR });
  await enter(context, site, ada);
  await page.goto(`${site}/me`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Current password").fill(ada.password);
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Create passkey" }).click();
  await dialog.getByRole("button", { name: "I have stored them" }).click();
  await page.getByText("My passkey", { exact: true }).waitFor();
  expect(await barriers(page)).toEqual([]);

  await context.clearCookies();
  await page.goto(`${site}/sign-in`);
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByRole("heading", { name: "Hello Ada" }).waitFor();
  await page.goto(`${site}/w/${ada.slug}/settings/general`);
  await page.getByRole("switch", { name: "Require a second factor" }).click();
  await page.getByText("A second factor is required from now on").waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();

  const other = await visit(browser, site);
  // The service refuses what the page asks for beside the gate.
  other.guard.allow(/status of 403/);
  await enter(other.context, site, grace);
  await other.page.goto(`${site}/w/${ada.slug}`);
  await other.page.getByRole("heading", { name: "A second factor is required" }).waitFor();
  expect(await barriers(other.page)).toEqual([]);
  await other.page.getByRole("main").getByRole("link", { name: "Your account" }).click();
  await other.page.getByRole("button", { name: "Set up an authenticator app" }).waitFor();
  expect(other.guard.faults).toEqual([]);
  await other.context.close();
});
