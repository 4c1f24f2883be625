import type { Browser, Page } from "playwright-core";
import { FakeModels, callTools } from "../support/fake-models.ts";
import { type McpTestServer, startMcpServer, usualTools } from "../support/mcp-server.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { StandIns } from "../support/stand-ins.ts";
import { openBrowser, visit, type Visit } from "./support/browser.ts";
import { canvas, Hand } from "./support/hand.ts";

let server: Server;
let browser: Browser;
let models: FakeModels;
let mcp: McpTestServer;
let services: StandIns;
let shop: ReturnType<StandIns["add"]>;

/** The model calls the tool that it is given once, and then answers. */
const say: NonNullable<FakeModels["options"]["say"]> = ({ messages, tools }) =>
  (messages as { role: string }[]).at(-1)?.role === "tool" || !tools?.length
    ? "It is 3."
    : callTools([toolOf(tools), { a: 1, b: 2 }]);

const toolOf = (tools: { function: { name: string } }[]) =>
  tools.map(({ function: { name } }) => name).find(name => name.includes("add"))!;

beforeAll(async () => {
  [models, mcp, services, browser] = await Promise.all([
    FakeModels.open({ say }),
    startMcpServer({ tools: usualTools(), name: "Shop" }),
    new StandIns().open(),
    openBrowser(),
  ]);
  shop = services.add(() => ({ body: { total: 40 } }));
  server = await startServer({ throughNpm: true, env: { LLM_BASE_URL: models.baseUrl, LLM_MODEL: "big" } });
});
afterAll(async () => {
  await browser?.close();
  await removeServer(server);
  await Promise.all([models?.close(), mcp?.close(), services?.close()]);
});

const WORKFLOW = "Answer about refunds";
const PASSWORD = "correct horse battery";

/** Fills the form of a person who is new. An invited one has an address already. */
async function signUp(page: Page, name: string, email?: string): Promise<void> {
  await page
    .getByRole("heading", { name: "Sign up" })
    .or(page.getByRole("button", { name: "Sign up" }))
    .first()
    .waitFor();
  // As fast as people type.
  const type = (label: string, text: string) =>
    page.getByLabel(label, { exact: true }).pressSequentially(text, { delay: 60 });
  await type("Name", name);
  if (email !== undefined) await type("E-mail", email);
  await type("Password", PASSWORD);
  await page.getByRole("button", { name: "Sign up" }).click();
}

const place = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Workspace" }).getByRole("link", { name, exact: true }).click();
const section = async (page: Page, name: string) => {
  await place(page, "Settings");
  await page.getByRole("tab", { name, exact: true }).click();
};
const dialog = (page: Page) => page.getByRole("dialog");

/** Runs the first template, and answers what it asks. */
async function firstRun({ page }: Visit): Promise<void> {
  const begun = performance.now();
  // The first visitor of an installation is led to the sign-up.
  await page.goto(server.url);
  await signUp(page, "Ada Lovelace", "ada@example.com");
  await page.getByRole("button", { name: /^Ask a person/ }).click();
  await dialog(page).getByRole("button", { name: "Run" }).click();
  const strip = page.locator("[data-run]");
  await strip.getByRole("button", { name: "Answer" }).click();
  await dialog(page).getByRole("button", { name: "Approve" }).click();
  await strip.getByText("Completed", { exact: true }).waitFor();
  // A person who follows the page gets here within two minutes.
  expect(performance.now() - begun).toBeLessThan(120_000);
  await strip.getByRole("button", { name: "Deploy it" }).waitFor();
  await strip.getByRole("link", { name: "Add a schedule" }).click();
  const schedule = page.getByRole("dialog", { name: "New schedule" });
  await schedule.getByRole("combobox", { name: "Workflow" }).getByText("Approve an expense").waitFor();
  await page.keyboard.press("Escape");
  await schedule.waitFor({ state: "detached" });
}

/** Invites a person and gives the window in which they have joined. */
async function invite({ page }: Visit, name: string, role: "Editor" | "Viewer"): Promise<Visit> {
  await section(page, "Members");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await page.getByLabel("E-mail address").fill(`${name.split(" ")[0]!.toLowerCase()}@example.com`);
  await page.getByRole("radio", { name: new RegExp(role) }).check();
  await dialog(page).getByRole("button", { name: "Invite" }).click();
  const link = await page.getByLabel("Send this link").innerText();
  await page.getByRole("button", { name: "I have stored it" }).click();
  const visited = await visit(browser, server.url);
  await visited.page.goto(link.replace(new URL(link).origin, server.url));
  await visited.page.getByRole("link", { name: "Sign up" }).click();
  // Browsers send the address to servers when the page is loaded again, so it must not hold the token.
  await visited.page.waitForURL(/\/sign-up\?/);
  expect(visited.page.url()).not.toContain(new URL(link).hash.replace("#invite=", ""));
  await visited.page.reload();
  await signUp(visited.page, name);
  await visited.page.getByRole("button", { name: "Accept invitation" }).click();
  await visited.page.getByText("You are now a member of").waitFor();
  return visited;
}

/** What the workflow will use: a tool server, a base with a file, a memory and a credential. */
async function furnish(page: Page): Promise<void> {
  await place(page, "Tools");
  await page.getByRole("button", { name: "Add a server" }).click();
  await page.getByLabel("Address").fill(mcp.url);
  await page.getByLabel("Name").fill("Shop");
  await dialog(page).getByRole("button", { name: "Add a server" }).click();
  await page.getByText("Connected").waitFor();
  await page.getByRole("switch", { name: "Open to agents" }).click();
  await page.getByRole("switch", { name: "Open to agents", checked: true }).waitFor();

  await place(page, "Knowledge");
  await page.getByRole("button", { name: "New knowledge base" }).click();
  await page.getByLabel("Name").fill("Handbook");
  await page.getByRole("button", { name: "Create" }).click();
  const file = { name: "refunds.md", mimeType: "text/markdown", buffer: Buffer.from("Refunds take two weeks.") };
  await page.getByLabel("Choose files").and(page.locator("input")).setInputFiles(file);
  await page.getByRole("listitem").filter({ hasText: "refunds.md" }).getByText("Imported").waitFor();

  await place(page, "Memory");
  await page.getByRole("button", { name: "Someone else" }).click();
  await page.getByLabel("Their id, as runs use it").fill("customer-7");
  await page.getByRole("button", { name: "Show" }).click();
  await page.getByRole("button", { name: "Remember a text" }).click();
  await page.getByRole("textbox", { name: "Text" }).fill("I prefer refunds by bank transfer.");
  await page.getByRole("button", { name: "Remember", exact: true }).click();
  await page.getByText("remembered").last().waitFor();
  await dialog(page).getByRole("button", { name: "Close" }).last().click();

  await section(page, "Credentials");
  await page.getByRole("button", { name: "New credential" }).click();
  await dialog(page).getByRole("combobox", { name: "Type" }).click();
  await page.getByRole("option", { name: /bearer/i }).click();
  await dialog(page).getByLabel("Name").fill("Shop key");
  await dialog(page).getByLabel("Token").fill("t0ken-of-the-shop");
  await dialog(page).getByLabel("Hosts").fill(new URL(shop.url).host);
  await dialog(page).getByRole("button", { name: "Create" }).click();
  await page.getByText("Shop key").first().waitFor();
}

/** Builds the workflow of refunds by keys and pointer, runs it once, and deploys it. */
async function build(page: Page): Promise<void> {
  await place(page, "Workflows");
  await page.getByRole("button", { name: "New workflow" }).click();
  await page.getByRole("menuitem", { name: /Blank/ }).click();
  await canvas(page).focus();
  const hand = new Hand(page);
  await hand.add("trigger", "Trigger");
  await hand.press("Enter");
  await hand.editing();
  await hand.type(JSON.stringify({ question: "How long do refunds take?" }));
  await hand.back();
  await hand.add("Handbook", "Handbook");
  await hand.write("Query", "{{ input.question }}");
  await hand.back();
  await hand.add("memory", "Memory");
  await hand.write("Query", "{{ input.question }}");
  await hand.click(hand.form.getByRole("button", { name: "Whose and where" }));
  await hand.write("Person", "customer-7");
  await hand.back();
  await hand.add("http", "HTTP request");
  await hand.write("URL", `${shop.url}/orders`);
  await hand.click(hand.form.getByRole("button", { name: /^Credential/ }));
  await hand.type("Shop key");
  await hand.press("Enter");
  await hand.back();
  await hand.add("agent", "Agent");
  await hand.press("Enter");
  await hand.editing();
  await hand.type("{{ input.question }}");
  await hand.click(hand.form.getByRole("button", { name: "Choose … for Tools" }));
  await hand.type("add");
  await hand.press("Enter");
  await hand.back();
  await hand.add("human", "Ask a person");
  await hand.press("Enter");
  await hand.editing();
  await hand.type("Send: {{ steps.agent.text }}");
  await hand.back();
  await hand.run("Asks");
  const strip = page.locator("[data-run]");
  await strip.getByRole("button", { name: "Answer" }).click();
  await dialog(page).getByText("Send: It is 3.").waitFor();
  await dialog(page).getByRole("button", { name: "Approve" }).click();
  await page.keyboard.press("Escape");
  await strip.getByText("Completed", { exact: true }).waitFor();
  await page.getByRole("textbox", { name: "Name of the workflow" }).fill(WORKFLOW);
  await page.getByRole("button", { name: /^Deploy v/ }).click();
  await dialog(page)
    .getByRole("button", { name: /deploy/i })
    .click();
  await page
    .getByText(/v\d+ is live/)
    .first()
    .waitFor();
}

/** Starts the workflow every workday and whenever its address is called. Gives the address and its secret. */
async function trigger(page: Page): Promise<{ url: string; secret: string }> {
  await place(page, "Schedules");
  await page.getByRole("button", { name: "New schedule" }).click();
  await dialog(page).getByRole("combobox", { name: "Workflow" }).click();
  await page.getByRole("option", { name: WORKFLOW }).click();
  await page.getByRole("combobox", { name: "Repeats" }).click();
  await page.getByRole("option", { name: "Monday to Friday" }).click();
  await page.getByLabel("Input").fill('{"question": "What is new?"}');
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(/^Monday to Friday, /).waitFor();
  await place(page, "Webhooks");
  await page.getByRole("button", { name: "New webhook" }).click();
  await dialog(page).getByRole("combobox", { name: "Workflow" }).click();
  await page.getByRole("option", { name: WORKFLOW }).click();
  await page.getByLabel("Name").fill("Questions");
  await page.getByRole("button", { name: "Create webhook" }).click();
  const url = await page.getByLabel("Address", { exact: true }).innerText();
  const secret = await page.getByLabel("Secret", { exact: true }).innerText();
  await page.getByRole("button", { name: "I have stored it" }).click();
  return { url, secret };
}

/** Takes the question of the run that the webhook has started, and sees that the run ends. */
async function answer({ page }: Visit): Promise<void> {
  await place(page, "Approvals");
  await page.getByRole("heading", { name: "Send: It is 3." }).waitFor();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("heading", { name: "You approved this" }).waitFor();
  await place(page, "Runs");
  await page.getByRole("link", { name: WORKFLOW }).first().click();
  await page.locator("header").getByText("Completed", { exact: true }).first().waitFor();
}

/** Makes an agent, and talks with it: it asks before it calls a tool. */
async function talk(page: Page): Promise<void> {
  await place(page, "Playground");
  await page.getByRole("button", { name: "Create an agent" }).click();
  await page.getByText("“Agent” answers.").waitFor();
  await page.getByRole("textbox", { name: "Message" }).fill("Add two numbers, 1 and 2");
  await page.keyboard.press("Enter");
  const message = page.getByRole("article").last();
  await message.getByRole("button", { name: "Approve" }).click();
  await message.getByText("It is 3.").waitFor();
  await message.getByText(/^Called .*add/).click();
  await message.getByText("Done", { exact: true }).waitFor();
  await page.reload();
  await page.getByRole("article").getByText("It is 3.").waitFor();
  await page.getByRole("textbox", { name: "Message" }).fill("And twice that?");
  await page.keyboard.press("Enter");
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  models.options.between = piece => (piece === 3 ? held : Promise.resolve());
  await page.getByRole("article").last().getByRole("button", { name: "Approve" }).click();
  // The words are there before the answer is whole.
  await page.locator("[data-writing]").getByText("It is", { exact: true }).waitFor();
  // So does the page of the run.
  const beside = await page.context().newPage();
  const run = page.getByRole("article").last().getByRole("link", { name: "Open as run" });
  await beside.goto(server.url + (await run.getAttribute("href"))!);
  await beside.getByRole("treeitem", { name: /Agent/ }).click();
  await beside.locator("[data-writing]").getByText("It is", { exact: true }).waitFor();
  goOn();
  await beside.locator("header").getByText("Completed", { exact: true }).first().waitFor();
  await beside.close();
  await page.getByRole("article").last().getByText("It is 3.").waitFor();
  await page.locator("[data-writing]").waitFor({ state: "detached" });
  const { messages } = models.calls.at(-1)!.body as { messages: { role: string; content: string }[] };
  expect(messages.filter(({ role }) => role === "user").map(({ content }) => content)).toEqual([
    "Add two numbers, 1 and 2",
    "And twice that?",
  ]);
}

it("a new installation leads to a team whose approved workflow runs by schedule and webhook", async () => {
  const ada = await visit(browser, server.url);
  const { page } = ada;
  await firstRun(ada);
  await furnish(page);
  const grace = await invite(ada, "Grace Hopper", "Editor");
  const vera = await invite(ada, "Vera Rubin", "Viewer");
  await build(page);
  const { url, secret } = await trigger(page);
  // The world outside calls, as it does in life.
  const called = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "x-webhook-secret": secret },
    body: JSON.stringify({ question: "How long do refunds take?" }),
  });
  expect(called.status).toBe(202);
  await talk(page);
  await answer(grace);
  expect(shop.calls.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill("Bearer t0ken-of-the-shop"));
  await place(page, "Settings");
  await page.getByRole("tab", { name: "Audit", exact: true }).click();
  await page.getByText("Deploy a workflow").first().waitFor();
  for (const one of [ada, grace, vera]) {
    expect(one.guard.faults).toEqual([]);
    await one.context.close();
  }
}, 400_000);
