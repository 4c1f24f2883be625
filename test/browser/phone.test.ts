import type { Browser, Page } from "playwright-core";
import { newWorkflow } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { untilEnd, untilEvent } from "../support/follow.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";
import { barriers } from "./support/barriers.ts";
import { openBrowser, visit } from "./support/browser.ts";
import { enter, join, newPerson, type Person } from "./support/person.ts";

/** A name on the local network. Pages there have no secure context, as long as they come over plain HTTP. */
const LAN = "weft.lan";
/** What browsers tell of a header that counts over TLS alone. */
const NO_TLS = /Cross-Origin-Opener-Policy header has been ignored/;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let server: Server;
/** The address of the server on the network. */
let address: string;
let browser: Browser;
let ada: Person;
let grace: Person;
let workflowId: string;

beforeAll(async () => {
  [server, browser] = await Promise.all([sharedServer(), openBrowser({ [LAN]: "127.0.0.1" })]);
  address = server.url.replace("127.0.0.1", LAN);
  ada = await newPerson(server.url);
  grace = await newPerson(server.url, "Grace Hopper", "Compilers");
  await join(ada, grace, "editor");
  const form = { type: "object", properties: { note: { type: "string", title: "A note" } } };
  workflowId = await newWorkflow(ada.api, ada.space, definition([node("ask", "human", { prompt: "Ship it?", form })]));
});
afterAll(() => browser?.close());

async function asking(): Promise<string> {
  const { body } = await ada.api.post(`${ada.space}/executions`, { workflowId, input: { order: 4711 } });
  await untilEvent(ada.api, `${ada.space}/executions/${body.id as string}`, "execution.suspended");
  return body.id as string;
}

async function signIn(page: Page, { email, password }: Person) {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

it("after the sign-in, a question takes two taps on a phone, and a second person sees who answered first", async () => {
  const id = await asking();
  const link = `${address}/a/${ada.workspaceId}/${id}`;
  const { context, page, guard } = await visit(browser, address, PHONE);
  guard.allow(NO_TLS);
  await page.goto(link);
  expect(await page.evaluate("isSecureContext")).toBe(false);
  await page.getByLabel("E-mail").waitFor();
  expect(await barriers(page)).toEqual([]);
  await signIn(page, ada);
  await page.getByRole("heading", { name: "Ship it?" }).waitFor();
  expect(page.url()).toBe(link);
  expect(await barriers(page)).toEqual([]);
  // The same question is open before a colleague.
  const second = await visit(browser, address, PHONE);
  second.guard.allow(new RegExp(`status of 409|ERR_FAILED|${NO_TLS.source}`));
  await second.page.goto(link);
  await signIn(second.page, grace);
  await second.page.getByRole("heading", { name: "Ship it?" }).waitFor();
  const approve = page.getByRole("button", { name: "Approve" });
  const { height = 0 } = (await approve.boundingBox()) ?? {};
  expect(height).toBeGreaterThanOrEqual(44);
  // The colleague hears of it by no event of the page: the answer itself is refused.
  await second.context.route("**/events*", route => route.abort());
  await page.getByLabel("A note").tap();
  await page.keyboard.type("Before noon");
  await approve.tap();
  await page.getByRole("heading", { name: "You approved" }).waitFor();
  expect(await barriers(page)).toEqual([]);
  expect(await untilEnd(ada.api, `${ada.space}/executions/${id}`)).toMatchObject({ status: "completed" });
  const reject = second.page.getByRole("button", { name: "Reject" });
  if (await reject.isVisible()) await reject.tap();
  await second.page.getByText("Ada Lovelace answered before you.").waitFor();
  await second.page.getByText("Before noon").waitFor();
  expect([...guard.faults, ...second.guard.faults]).toEqual([]);
  await Promise.all([context.close(), second.context.close()]);
});

it("reads a question again by itself that it could not read", async () => {
  const id = await asking();
  const { context, page, guard } = await visit(browser, address, PHONE);
  guard.allow(new RegExp(`ERR_FAILED|${NO_TLS.source}`));
  await page.clock.install();
  await page.route(`**/executions/${id}`, route => route.abort());
  await page.goto(`${address}/a/${ada.workspaceId}/${id}`);
  await signIn(page, ada);
  await page.getByRole("alert").getByText("Weft cannot be reached").waitFor();
  await page.unroute(`**/executions/${id}`);
  await page.clock.fastForward(5_000);
  await page.getByRole("heading", { name: "Ship it?" }).waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("over plain HTTP on a network address, the console signs in, follows runs and copies text", async () => {
  const { context, page, guard } = await visit(browser, address);
  guard.allow(NO_TLS);
  await page.goto(`${address}/sign-in`);
  await signIn(page, ada);
  await page.getByRole("heading", { name: "Hello Ada" }).waitFor();
  const lacking =
    "[isSecureContext, 'locks' in navigator, 'clipboard' in navigator, 'subtle' in crypto, 'randomUUID' in crypto]";
  expect(await page.evaluate(lacking)).toEqual([false, false, false, false, false]);
  // Without locks each tab reads the stream by itself.
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto(`${address}/w/${ada.slug}/runs`);
    await tab.locator("[data-row]").first().waitFor();
  }
  const id = await asking();
  for (const tab of [page, other]) await tab.getByRole("button", { name: /^1 new/ }).waitFor();
  await page.goto(`${address}/w/${ada.slug}/s/${ada.workspaceId}/runs/${id}?view=data&tab=input`);
  await page.getByRole("tree", { name: "Value" }).getByText("order").click();
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await page.getByRole("menuitem", { name: "Copy JSON Pointer" }).click();
  await page.getByText("Copied").waitFor();
  // What was copied is pasted into the search of the value.
  await page.getByRole("searchbox").focus();
  await page.keyboard.press("Control+v");
  expect(await page.getByRole("searchbox").inputValue()).toBe("/order");
  // The builder makes its ids and keeps its drafts without what a secure context has.
  await page.goto(`${address}/w/${ada.slug}/s/${ada.workspaceId}/f/${workflowId}`);
  await page.getByLabel("Name of the workflow").fill("From the network");
  await page.getByText("Draft, kept here").waitFor();
  await page.keyboard.press("Control+s");
  await page.getByText("Saved v2").waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});

it("a dialog opens no keyboard by itself, and without a field to fill in its last button has the focus", async () => {
  const [owner, viewer] = [await newPerson(server.url, "Barbara Liskov"), await newPerson(server.url, "Vera Rubin")];
  await join(owner, viewer, "viewer");
  const id = await newWorkflow(owner.api, owner.space, definition([node("a", "transform", { value: 1 })]));
  const settings = async (options: object) => {
    const { context, page, guard } = await visit(browser, server.url, options);
    await enter(context, server.url, viewer);
    await page.goto(`${server.url}/w/${owner.slug}/s/${owner.workspaceId}/f/${id}`);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Settings of the workflow" }).click();
    const dialog = page.getByRole("dialog", { name: "Settings of the workflow" });
    await dialog.getByText("Key", { exact: true }).waitFor();
    return { context, page, guard, dialog };
  };
  const onPhone = await settings(PHONE);
  await onPhone.page.locator("[role=dialog]:focus").waitFor();
  const onDesk = await settings({});
  await onDesk.page
    .locator(":focus")
    .and(onDesk.dialog.getByRole("button", { name: "Close" }).last())
    .waitFor();
  expect([...onPhone.guard.faults, ...onDesk.guard.faults]).toEqual([]);
  await Promise.all([onPhone.context.close(), onDesk.context.close()]);
});
