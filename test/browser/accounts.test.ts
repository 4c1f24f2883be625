import { TOTP } from "otpauth";
import type { Browser, Page, Route } from "playwright-core";
import { type AuthorizationServer, startAuthorizationServer } from "../support/authorization-server.ts";
import { freePort } from "../support/free-port.ts";
import { linkIn, MailSink } from "../support/mail-sink.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { barriers } from "./support/barriers.ts";
import { openBrowser, visit } from "./support/browser.ts";
import { enter, newPerson, type Person } from "./support/person.ts";

const JOAN = "joan@example.org";
let sink: MailSink;
let server: Server;
let provider: AuthorizationServer;
let browser: Browser;
let ada: Person;

beforeAll(async () => {
  sink = await new MailSink().start();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const claims = { email: JOAN, email_verified: true, name: "Joan Clarke", groups: ["codebreakers"] };
  provider = await startAuthorizationServer({ redirectUri: `${url}/sso/bletchley`, claims });
  const env = {
    ...{ SMTP_URL: sink.url, MAIL_FROM: "weft@example.com", PUBLIC_URL: url },
    OIDC_BLETCHLEY_ISSUER: provider.url,
    OIDC_BLETCHLEY_NAME: "Bletchley",
    OIDC_BLETCHLEY_CLIENT_ID: "shop",
    OIDC_BLETCHLEY_CLIENT_SECRET: "client-secret-0123456789abcdef",
  };
  [server, browser] = await Promise.all([startServer({ port, env }), openBrowser()]);
  ada = await newPerson(server.url);
});
afterAll(async () => {
  await browser?.close();
  await removeServer(server);
  await sink?.stop();
  await provider?.close();
});

/** Signs in as Joan at the provider, from a page that offers it. */
async function continueWithProvider(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Continue with Bletchley" }).click();
  await page.locator("input[name=login]").fill("joan");
  await page.locator("input[name=password]").fill("any");
  await page.locator("button[type=submit]").click();
  await page.getByRole("button", { name: "Continue", exact: true }).click();
}

/** A window in which the provider's own pages may ask for a font, which the test gives them. */
async function visitWithProvider() {
  const visited = await visit(browser, server.url);
  visited.guard.allow(new RegExp(`${provider.url}|fonts.googleapis.com`));
  const font = (route: Route) => route.fulfill({ contentType: "text/css", body: "" });
  await visited.context.route("https://fonts.googleapis.com/**", font);
  return visited;
}

it("a person resets a forgotten password with the link from an email", async () => {
  const { context, page, guard } = await visit(browser, server.url);
  // The service refuses the weak password and the used link.
  guard.allow(/status of (400|410)/);
  await page.goto(`${server.url}/sign-in`);
  await page.getByLabel("E-mail").fill(ada.email);
  await page.getByRole("link", { name: "Forgot password?" }).click();
  expect(await page.getByLabel("E-mail").inputValue()).toBe(ada.email);
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByRole("heading", { name: "Check your e-mail" }).waitFor();
  const [mail] = await sink.to(ada.email);
  await page.goto(linkIn(mail!));
  await page.getByText(`For ${ada.email}`).waitFor();
  expect(await barriers(page)).toEqual([]);
  const field = page.getByLabel("New password", { exact: true });
  await field.fill("password1234");
  await page.getByRole("button", { name: "Set password" }).click();
  await page.getByText("This password is easy to guess.").waitFor();
  await field.fill("another horse battery");
  await page.getByRole("button", { name: "Set password" }).click();
  await page.waitForURL(/\/sign-in/);
  await page.getByLabel("Password", { exact: true }).fill("another horse battery");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Hello Ada" }).waitFor();
  const tab = await context.newPage();
  await tab.goto(linkIn(mail!));
  await tab.getByRole("heading", { name: "This link cannot be used" }).waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("a person sets up an authenticator app, and the next sign-in asks for its code", async () => {
  const grace = await newPerson(server.url, "Grace Hopper", "Compilers");
  const { context, page, guard } = await visit(browser, server.url);
  // The service asks for the code, and refuses a wrong one.
  guard.allow(/status of 401/);
  await enter(context, server.url, grace);
  await page.goto(`${server.url}/me`);
  await page.getByText("Signed in", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Set up an authenticator app" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Current password").fill(grace.password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByRole("img", { name: "QR code" }).waitFor();
  expect(await barriers(page)).toEqual([]);
  const key = (await dialog.locator("code").textContent())!.replace(/ /g, "");
  const app = new TOTP({ secret: key });
  const now = Date.now();
  await dialog.getByLabel("Code").fill(app.generate({ timestamp: now - 30_000 }));
  await dialog.getByRole("button", { name: "Turn on" }).click();
  const list = dialog.getByRole("list", { name: "Recovery codes" });
  await list.waitFor();
  const codes = await list.getByRole("listitem").allTextContents();
  expect(codes).toHaveLength(10);
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole("button", { name: "I have stored them" }).click();
  await page.getByText("10 recovery codes are left.").waitFor();
  await page.getByText("Authenticator app set up", { exact: true }).waitFor();
  await context.clearCookies();
  await page.goto(`${server.url}/sign-in`);
  await page.getByLabel("E-mail").fill(grace.email);
  await page.getByLabel("Password", { exact: true }).fill(grace.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Second factor" }).waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.getByLabel("Code").fill("000000");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("This code is wrong or has been used.").waitFor();
  await page.getByLabel("Code").fill(app.generate({ timestamp: now }));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Hello Grace" }).waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("a person signs in through a provider, authorizes the CLI, and chooses which emails to get", async () => {
  const { context, page, guard } = await visitWithProvider();
  const challenge = "c".repeat(43);
  await page.goto(`${server.url}/command?challenge=${challenge}`);
  await page.getByRole("button", { name: "Continue with Bletchley" }).waitFor();
  expect(await barriers(page)).toEqual([]);
  await continueWithProvider(page);

  // The sign-in leads back to the page that asked for it.
  await page.getByRole("heading", { name: "Sign in on the command line" }).waitFor();
  await page.getByText("A weft command asks to sign in as joan@example.org.").waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Show the code" }).click();
  await page.getByRole("heading", { name: "Your code" }).waitFor();
  expect(await page.getByLabel("Code for the command").textContent()).toMatch(/^\S{60,200}$/);
  expect(await barriers(page)).toEqual([]);

  await page.goto(`${server.url}/me`);
  await page.getByText("Notifications by e-mail").waitFor();
  await page.getByRole("radio", { name: "Hourly" }).click();
  await page.reload();
  await page.getByRole("radio", { name: "Hourly", checked: true }).waitFor();

  // A copied address of the provider's answer signs in no other tab.
  const tab = await context.newPage();
  await tab.goto(`${server.url}/sso/bletchley?code=x&state=y`);
  await tab.getByRole("heading", { name: "Start again" }).waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("a provider's group assigns a role, which the console does not let people change", async () => {
  const [admin, joan] = [await visit(browser, server.url), await visitWithProvider()];
  const alan = await newPerson(server.url, "Alan Turing", "Codes");
  await enter(admin.context, server.url, alan);
  const members = `${server.url}/w/${alan.slug}/settings/members`;
  await admin.page.goto(members);
  const groups = admin.page.locator("section", { hasText: "Groups of providers" });
  await groups.getByText("No group gives a role yet").waitFor();
  await groups.getByRole("button", { name: "Add group" }).click();
  await groups.locator(":invalid:focus").waitFor();
  await groups.getByLabel("Group").fill("codebreakers");
  await groups.getByRole("combobox", { name: "Role" }).click();
  await admin.page.getByRole("option", { name: "Editor" }).click();
  await groups.getByRole("button", { name: "Add group" }).click();
  await groups.getByText("codebreakers", { exact: true }).waitFor();
  expect(await barriers(admin.page)).toEqual([]);

  // The way through the provider leads back to the invitation to another workspace.
  const hedy = await newPerson(server.url, "Hedy Lamarr", "Frequencies");
  await hedy.api.post(`/v1/workspaces/${hedy.workspaceId}/invites`, { email: JOAN, role: "viewer" });
  const [mail] = await sink.to(JOAN);
  await joan.page.goto(linkIn(mail!));
  await joan.page.getByRole("link", { name: "Sign in" }).click();
  await joan.page.waitForURL(`${server.url}/sign-in?next=%2Finvite&email=**`);
  await continueWithProvider(joan.page);
  await joan.page.getByText("Hedy Lamarr invites you").waitFor();
  expect(joan.page.url()).toBe(`${server.url}/invite`);
  await joan.page.getByRole("button", { name: "Accept invitation" }).click();
  await joan.page.getByRole("heading", { name: "Hello Joan" }).waitFor();
  await joan.page.goto(members);
  await joan.page.getByText("2 people in this workspace").waitFor();

  await admin.page.reload();
  await admin.page.getByText("Role from Bletchley").waitFor();
  expect(await admin.page.getByRole("combobox", { name: "Role of Joan Clarke" }).count()).toBe(0);
  expect(await barriers(admin.page)).toEqual([]);
  await groups.getByRole("button", { name: "Remove the group codebreakers" }).click();
  await admin.page.getByRole("combobox", { name: "Role of Joan Clarke" }).waitFor();
  expect([...admin.guard.faults, ...joan.guard.faults]).toEqual([]);
  await Promise.all([admin.context.close(), joan.context.close()]);
});

it("a person ends all sessions except the current one", async () => {
  const me = await newPerson(server.url, "Grace Hopper");
  const [here, there] = [await visit(browser, server.url), await visit(browser, server.url)];
  for (const { context } of [here, there]) await enter(context, server.url, me);
  await there.page.goto(`${server.url}/me`);
  await there.page.getByRole("button", { name: "End all others" }).waitFor();
  await here.page.goto(`${server.url}/me`);
  await here.page.getByRole("button", { name: "Change password" }).click();
  await here.page.getByLabel("Current password").and(here.page.locator(":invalid:focus")).waitFor();
  await here.page.getByRole("button", { name: "End all others" }).click();
  expect(await barriers(here.page)).toEqual([]);
  await here.page.getByRole("alertdialog").getByRole("button", { name: "End all others" }).click();
  await here.page.getByText("All other sessions have ended").first().waitFor();
  await here.page.getByRole("button", { name: "End all others" }).waitFor({ state: "detached" });
  // The service refuses what the other window asks, and the window asks its person to sign in.
  there.guard.allow(/status of 401/);
  await there.page.reload();
  await there.page.waitForURL("**/sign-in**");
  expect((await me.api.get("/v1/auth/me")).status).toBe(401);
  expect([...here.guard.faults, ...there.guard.faults]).toEqual([]);
  await Promise.all([here.context.close(), there.context.close()]);
});

it("a change of email address is confirmed at both addresses", async () => {
  const mary = await newPerson(server.url, "Mary Somerville", "Spheroids");
  const next = `mary-${process.pid}-next@example.com`;
  await mary.api.patch("/v1/auth/me", { email: next, password: { current: mary.password } });
  const [former, latter] = [await sink.to(mary.email), await sink.to(next)].map(([mail]) => linkIn(mail!));
  const { context, page, guard } = await visit(browser, server.url);
  await page.goto(former!);
  await page.getByRole("heading", { name: "Confirm the new address" }).waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByText("Confirmed. Now confirm it at the other address, too.").waitFor();
  const tab = await context.newPage();
  await tab.goto(latter!);
  await tab.getByRole("button", { name: "Confirm" }).click();
  await tab.getByText(`Your address is now ${next}.`).waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});
