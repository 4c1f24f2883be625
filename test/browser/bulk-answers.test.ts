import type { Browser } from "playwright-core";
import { newWorkflow } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { start } from "../support/executions.ts";
import { untilEnd, untilEvent } from "../support/follow.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";
import { barriers } from "./support/barriers.ts";
import { openBrowser, visit } from "./support/browser.ts";
import { enter, join, newPerson, type Person } from "./support/person.ts";

let server: Server;
let browser: Browser;
let ada: Person;
let grace: Person;

const FORM = { type: "object", properties: { reason: { type: "string", title: "Reason" } }, required: ["reason"] };

beforeAll(async () => {
  [server, browser] = await Promise.all([sharedServer(), openBrowser()]);
  [ada, grace] = [await newPerson(server.url), await newPerson(server.url, "Grace Hopper")];
  await join(ada, grace, "editor");
});
afterAll(() => browser?.close());

async function asking(prompt: string, form: object | undefined, inputs: readonly string[]) {
  const id = await newWorkflow(
    ada.api,
    ada.space,
    definition([node("ask", "human", { prompt, ...(form && { form }) })]),
  );
  const runs: Awaited<ReturnType<typeof start>>[] = [];
  for (const input of inputs) runs.push(await start(ada.api, ada.space, id, input));
  await Promise.all(runs.map(({ path }) => untilEvent(ada.api, path, "execution.suspended")));
  return runs;
}

test("one answer is sent to several questions of the same form, and each shows its result", async () => {
  const runs = await asking("Pay {{ input }}?", FORM, ["silk", "wool", "jute"]);
  await asking("Hire {{ input }}?", undefined, ["Bob"]);
  const { context, page, guard } = await visit(browser, server.url);
  await enter(context, server.url, ada);
  await page.goto(`${server.url}/w/${ada.slug}/approvals`);
  for (const what of ["silk", "wool"]) await page.getByRole("checkbox", { name: `Select “Pay ${what}?”` }).check();
  // A question with another form cannot have the same answer.
  expect(await page.getByRole("checkbox", { name: "Select “Hire Bob?”" }).isDisabled()).toBe(true);
  await page.getByRole("checkbox", { name: "Select “Pay jute?”" }).check();
  await page.getByRole("heading", { name: "3 questions with one answer" }).waitFor();
  expect(await barriers(page)).toEqual([]);

  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("This field is required.").waitFor();
  guard.allow(/status of 409/);
  await grace.api.patch(`${runs[1]!.path}/respond`, { approved: false });
  await page.getByRole("textbox", { name: "Reason" }).fill("It is spring.");
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("2 of 3 are answered with this").waitFor();
  await page.getByText("Grace Hopper rejected it before").waitFor();
  for (const run of [runs[0]!, runs[2]!]) {
    const { output } = (await untilEnd(ada.api, run.path)) as { output: { data: unknown } };
    expect(output).toMatchObject({ approved: true, data: { reason: "It is spring." } });
  }
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("heading", { name: "Hire Bob?" }).waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});

test("questions can be selected and answered by keyboard", async () => {
  const runs = await asking("Ship {{ input }}?", undefined, ["bells", "whistles"]);
  const { context, page, guard } = await visit(browser, server.url);
  await enter(context, server.url, ada);
  await page.goto(`${server.url}/w/${ada.slug}/approvals`);
  await page.getByRole("heading", { name: "Ship whistles?" }).waitFor();
  for (const key of ["x", "j", "x"]) await page.keyboard.press(key);
  await page.locator("button:focus").getByText("Ship bells?").waitFor();
  await page.getByRole("heading", { name: "2 questions with one answer" }).waitFor();
  await page.keyboard.press("r");
  await page.getByText("All 2 are answered").waitFor();
  for (const { path } of runs) {
    expect(await untilEnd(ada.api, path)).toMatchObject({ output: { approved: false } });
  }
  expect(guard.faults).toEqual([]);
  await context.close();
});
