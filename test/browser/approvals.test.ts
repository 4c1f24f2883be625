import { newWorkflow } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { eventually, start } from "../support/executions.ts";
import { download } from "../support/files.ts";
import { untilEnd, untilEvent } from "../support/follow.ts";
import { barriers } from "./support/barriers.ts";
import { visit } from "./support/browser.ts";
import { enter, newPerson } from "./support/person.ts";
import { ada, browser, server } from "./support/scene.ts";

let runs: { path: string; id: string }[];

beforeAll(async () => {
  const asks = definition([node("ask", "human", { prompt: "Ship {{ input }}?" })]);
  const workflowId = await newWorkflow(ada.api, ada.space, asks);
  runs = [];
  for (const input of ["silk", "wool", "jute"]) runs.push(await start(ada.api, ada.space, workflowId, input));
  await Promise.all(runs.map(({ path }) => untilEvent(ada.api, path, "execution.suspended")));
  await ada.api.patch(`${runs[0]!.path}/respond`, { data: { colour: "woad", notes: "x".repeat(5_000) } });
  await ada.api.patch(`${runs[1]!.path}/respond`, { approved: false });
  const answers = `/v1/workspaces/${ada.workspaceId}/answers`;
  await eventually(
    async () => ((await ada.api.get(answers)).body as unknown[]).length === 2,
    "both answers are listed",
  );
});

async function opened(path: string) {
  const visited = await visit(browser, server.url);
  await enter(visited.context, server.url, ada);
  await visited.page.goto(`${server.url}/w/${ada.slug}${path}`);
  return visited;
}

test("the list of answered questions shows who answered what, works by keyboard, and survives a reload", async () => {
  const { context, page, guard } = await opened("/approvals");
  await page.getByRole("radio", { name: "Answered" }).check();
  const rows = page.getByRole("main").getByRole("listitem");
  await rows.nth(1).waitFor();
  expect(await rows.allTextContents()).toEqual([
    expect.stringContaining("You rejected") as string,
    expect.stringContaining("You approved") as string,
  ]);
  await page.getByRole("heading", { name: "You rejected this" }).waitFor();
  await page.keyboard.press("j");
  await page.getByRole("heading", { name: "You approved this" }).waitFor();
  // The list leaves large data out, and the page reads it from the log.
  await page.getByText("woad").waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.reload();
  await page.getByRole("heading", { name: "You approved this" }).waitFor();
  await page.getByRole("combobox", { name: "Answered by" }).click();
  await page.getByRole("option", { name: "Ada Lovelace" }).click();
  await page.waitForURL(/by=/);
  await rows.nth(1).waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});

test("the link of a question can be copied from the inbox and the run page, and opens the question", async () => {
  const { context, page, guard } = await opened("/approvals");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const copied = () =>
    page.evaluate(() =>
      (
        globalThis as unknown as { navigator: { clipboard: { readText: () => Promise<string> } } }
      ).navigator.clipboard.readText(),
    );
  const { id } = runs[2]!;
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Link copied").waitFor();
  const link = await copied();
  expect(link).toBe(`${server.url}/a/${ada.workspaceId}/${id}?n=ask`);
  await page.goto(`${server.url}/w/${ada.slug}/s/${ada.workspaceId}/runs/${id}`);
  await page.getByRole("button", { name: "Copy link" }).first().click();
  await page.getByText("Link copied").waitFor();
  expect(await copied()).toBe(link);
  await page.goto(link);
  await page.getByRole("heading", { name: "Ship jute?" }).waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});

test("a file chosen in a form becomes part of the answer, and a file that is too large is rejected", async () => {
  const pdf = {
    type: "object",
    title: "Invoice",
    "x-weft": { widget: "file", types: ["application/pdf"], maxBytes: 500 },
  };
  const form = { type: "object", properties: { invoice: pdf }, required: ["invoice"] };
  const asks = node("ask", "human", { prompt: "Which invoice?", form });
  const gives = node("out", "transform", { value: "{{ steps.ask.data.invoice }}" });
  const workflowId = await newWorkflow(ada.api, ada.space, definition([asks, gives], "ask:approved > out"));
  const { path, id } = await start(ada.api, ada.space, workflowId);
  await untilEvent(ada.api, path, "execution.suspended");
  const { context, page, guard } = await opened("/approvals");
  await page.goto(`${server.url}/a/${ada.workspaceId}/${id}?n=ask`);
  const choose = async (name: string, text: string) => {
    const choosing = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose a file" }).click();
    await (await choosing).setFiles({ name, mimeType: "application/pdf", buffer: Buffer.from(text) });
  };
  await choose("large.pdf", `%PDF ${"x".repeat(1_000)}`);
  await page.getByText("The largest size is 500 B.").waitFor();
  await choose("first.pdf", "%PDF one");
  await page.getByRole("button", { name: "Remove first.pdf" }).click();
  await page.getByText("No file").waitFor();
  await choose("invoice.pdf", "%PDF two");
  await page.getByRole("button", { name: "Remove invoice.pdf" }).waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Approve" }).click();
  const { status, output } = await untilEnd(ada.api, path);
  expect([status, output]).toMatchObject(["completed", { $file: { name: "invoice.pdf", type: "application/pdf" } }]);
  const { bytes } = await download(ada.api, ada.workspaceId, output.$file.id as string);
  expect(bytes.toString()).toBe("%PDF two");
  expect(guard.faults).toEqual([]);
  await context.close();
});

/** What the service answers when its store is away. */
const AWAY = { type: "about:blank", title: "Away", status: 503, detail: "Later.", code: "unavailable", requestId: "r" };

test.each(["/approvals", "/approvals?show=answered", "/me/notifications"])(
  "%s has no accessibility violations while it loads, after a failure and while it is empty",
  async path => {
    const { context, page } = await visit(browser, server.url);
    const grace = await newPerson(server.url, "Grace Hopper", "Compilers");
    await enter(context, server.url, grace);
    const address = server.url + (path.startsWith("/me") ? path : `/w/${grace.slug}${path}`);
    const isData = (url: URL) => /^\/v1\/(.*\/)?(questions|answers|notifications)$/.test(url.pathname);
    await page.goto(address, { waitUntil: "commit" });
    await page
      .getByText(/No open questions|No answers yet|Nothing new/)
      .first()
      .waitFor();
    expect(await barriers(page)).toEqual([]);
    await context.route(isData, () => undefined);
    await page.goto(address, { waitUntil: "commit" });
    await page.getByText("Loading").first().waitFor();
    expect(await barriers(page)).toEqual([]);
    await context.unroute(isData);
    await context.route(isData, route =>
      route.fulfill({ status: 503, contentType: "application/problem+json", body: JSON.stringify(AWAY) }),
    );
    await page.goto(address, { waitUntil: "commit" });
    await page.getByRole("button", { name: "Try again" }).first().waitFor();
    expect(await barriers(page)).toEqual([]);
    await context.close();
  },
);

test("cancelling a run asks for confirmation, and the first choice keeps the run", async () => {
  const asks = definition([node("ask", "human", { prompt: "Ship it?" })]);
  const run = await start(ada.api, ada.space, await newWorkflow(ada.api, ada.space, asks));
  await untilEvent(ada.api, run.path, "execution.suspended");
  const { context, page, guard } = await opened(`/s/${ada.workspaceId}/runs/${run.path.split("/").at(-1)}`);
  const cancel = page.getByRole("button", { name: "Cancel run" });
  await cancel.click();
  const question = page.getByRole("alertdialog");
  await question.waitFor();
  await eventually(
    async () => (await page.locator(":focus").textContent()) === "Let it run",
    "nothing is cancelled yet",
  );
  await page.keyboard.press("Enter");
  await question.waitFor({ state: "detached" });
  await cancel.click();
  await question.getByRole("button", { name: "Cancel run" }).click();
  await page.getByText("Cancelled", { exact: true }).first().waitFor();
  expect(guard.faults).toEqual([]);
  await context.close();
});
