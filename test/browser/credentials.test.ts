import type { Browser, Page } from "playwright-core";
import { newWorkflow, runToEnd } from "../support/api.ts";
import { type AuthorizationServer, startAuthorizationServer } from "../support/authorization-server.ts";
import { definition, node } from "../support/definition.ts";
import { freePort } from "../support/free-port.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { startTokenGuard, type TokenGuard } from "../support/token-guard.ts";
import { barriers } from "./support/barriers.ts";
import { openBrowser, visit } from "./support/browser.ts";
import { enter, newPerson } from "./support/person.ts";

let server: Server;
let browser: Browser;
let authorization: AuthorizationServer;
let guarded: TokenGuard;
/** Where the authorization server leads back to, so the browser has to be here too. */
let origin: string;
beforeAll(async () => {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  [server, browser, authorization, guarded] = await Promise.all([
    startServer({ port }),
    openBrowser(),
    startAuthorizationServer({ redirectUri: `${origin}/v1/oauth/callback` }),
    startTokenGuard(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([removeServer(server), authorization?.close(), guarded?.close()]);
});

test("deleting a credential in use first lists what will fail", async () => {
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
  await page.getByRole("button", { name: "Actions for Shop" }).click();
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

/** Signs in at the authorization server, whose forms are its own, and allows what is asked. */
async function allow(popup: Page): Promise<void> {
  await popup.getByPlaceholder("Enter any login").fill("ada");
  await popup.getByPlaceholder("and password").fill("any");
  await popup.getByRole("button", { name: "Sign-in" }).click();
  await popup.getByRole("button", { name: "Continue" }).click();
}

test("a person denies an authorization, then grants it, and steps use the credential", async () => {
  const ada = await newPerson(server.url);
  const data = {
    ...{ authorizeUrl: `${authorization.url}/auth`, tokenUrl: `${authorization.url}/token`, clientId: "shop" },
    ...{ clientSecret: "client-secret-0123456789abcdef", scope: "openid offline_access" },
  };
  const given = { name: "Calendar", type: "oauth2_code", hosts: [new URL(guarded.url).host], data };
  const { body } = await ada.api.post(`/v1/workspaces/${ada.workspaceId}/credentials`, given);
  const { context, page, guard } = await visit(browser, origin);
  // The page of the authorization server, which asks for a font elsewhere.
  guard.allow(new RegExp(`${authorization.url}|fonts\\.googleapis`));
  await context.route(/fonts\.googleapis/, route => route.abort());
  await enter(context, origin, ada);
  await page.goto(`${origin}/w/${ada.slug}/settings/credentials`);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Calendar" });
  expect(await barriers(page)).toEqual([]);

  const refusing = page.waitForEvent("popup");
  await dialog.getByRole("button", { name: "Connect", exact: true }).click();
  const first = await refusing;
  await first.getByRole("link", { name: "Cancel" }).click();
  await dialog.getByText("access_denied").waitFor();
  await first.waitForURL(`${origin}/w/*/settings/credentials?id=${body.id as string}`);
  await first.close();

  const allowing = page.waitForEvent("popup");
  await dialog.getByRole("button", { name: /^Connect/ }).click();
  const second = await allowing;
  await allow(second);
  await page.getByText("Connected", { exact: true }).waitFor();
  await dialog.waitFor({ state: "detached" });
  await second.waitForURL(`${origin}/w/*/settings/credentials?id=${body.id as string}`);
  await page.getByRole("button", { name: "Connect", exact: true }).waitFor({ state: "detached" });
  const calls = node("call", "http", { url: `${guarded.url}/events`, credential: body.id });
  expect(await runToEnd(ada.api, ada.space, definition([calls]))).toMatchObject({ status: "completed" });
  expect(guard.faults).toEqual([]);
  await context.close();
});
