import { barriers, barriersInThemes } from "./support/barriers.ts";
import { visit } from "./support/browser.ts";
import { enter, join, newPerson } from "./support/person.ts";
import { ada, browser, server } from "./support/scene.ts";

const file = (name: string, text: string, mimeType = "text/markdown") => ({
  name,
  mimeType,
  buffer: Buffer.from(text),
});

it("a person creates a knowledge base, adds entries from files and by hand, searches, edits and deletes them", async () => {
  const { context, page, guard, quiet } = await visit(browser, server.url);
  await enter(context, server.url, ada);
  await page.goto(`${server.url}/w/${ada.slug}/knowledge`);
  await page.getByText("No knowledge bases yet").waitFor();
  await page.getByRole("button", { name: "New knowledge base" }).click();
  await page.getByLabel("Name").fill("Handbook");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { name: "Handbook", exact: true }).waitFor();
  const address = page.url();

  await page
    .getByLabel("Choose files")
    .and(page.locator("input"))
    .setInputFiles([file("refunds.md", "Refunds take two weeks."), file("song.mp3", "la la", "audio/mpeg")]);
  await page.getByRole("listitem").filter({ hasText: "song.mp3" }).getByText("Not imported").waitFor();
  await page.getByRole("listitem").filter({ hasText: "refunds.md" }).getByText("Imported").waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Remove song.mp3 from the list" }).click();
  await page
    .getByLabel("Choose files")
    .and(page.locator("input"))
    .setInputFiles([file("broken.pdf", "no PDF", "application/pdf")]);
  const broken = page.getByRole("listitem").filter({ hasText: "broken.pdf" });
  const retried = page.waitForResponse(response => response.url().endsWith("/retry"));
  await broken.getByRole("button", { name: "Import broken.pdf again" }).click();
  expect((await (await retried).json()) as unknown).toMatchObject({ status: "pending", error: null });
  await broken.getByText("Failed", { exact: true }).waitFor();

  await page.getByRole("tab", { name: "Entries" }).click();
  await page.getByText("Refunds take two weeks.").waitFor();
  await page.getByRole("button", { name: "New entry" }).click();
  await page.getByLabel("Text").fill("The office opens at nine.");
  await page.getByLabel("Metadata").fill("not JSON");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("This is not a JSON object.").waitFor();
  await page.getByLabel("Metadata").fill('{"lang": "en"}');
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "The office opens at nine." }).click();
  await page.getByRole("button", { name: "Change" }).click();
  await page.getByLabel("Text").fill("The office opens at eight.");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "The office opens at eight." }).waitFor();
  expect(await page.getByRole("button", { name: "The office opens at nine." }).count()).toBe(0);
  await page.getByLabel("Find entries by their words").fill("refunds");
  await page.getByRole("button", { name: "The office opens at eight." }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Refunds take two weeks." }).waitFor();

  await page.getByLabel("Find entries by their words").fill("reimbursement");
  await page.getByText("No entry contains these words").waitFor();
  await page.getByRole("button", { name: "Search by meaning" }).click();
  await page.getByRole("tab", { name: "Try a search", selected: true }).waitFor();
  expect(await page.getByLabel("Question or words").inputValue()).toBe("reimbursement");
  await page.locator("mark").first().or(page.getByText("No results")).waitFor();
  await page.getByLabel("Question or words").fill("When does the office open?");
  await page.locator("summary").getByText("Filter by metadata").click();
  const condition = page.getByRole("group", { name: "Condition 1" });
  await condition.getByLabel("Key").fill("lang");
  await condition.getByLabel("Value").fill("en");
  await page
    .getByRole("button", { name: "JSON" })
    .or(page.getByRole("radio", { name: "JSON" }))
    .click();
  expect(await page.getByRole("textbox", { name: "Filter by metadata" }).inputValue()).toContain(
    '"metadata.lang": "en"',
  );
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.locator("mark").getByText("The office opens at eight.").waitFor();
  expect(await page.locator("mark").count()).toBe(1);
  await quiet();
  expect(await barriersInThemes(page)).toEqual([]);

  const grace = await newPerson(server.url, "Grace Hopper", "Compilers");
  await join(ada, grace, "viewer");
  const viewer = await visit(browser, server.url);
  await enter(viewer.context, server.url, grace);
  await viewer.page.goto(address);
  await viewer.page.getByText("Refunds take two weeks.").waitFor();
  expect(await viewer.page.getByText("Drop files here").count()).toBe(0);
  expect(await viewer.page.getByRole("button", { name: "New entry" }).isDisabled()).toBe(true);

  await page.getByRole("button", { name: "More for Handbook" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No knowledge bases yet").waitFor();
  expect([...guard.faults, ...viewer.guard.faults]).toEqual([]);
  await Promise.all([context.close(), viewer.context.close()]);
});

it("an error above a form says how to fix it", async () => {
  const { context, page } = await visit(browser, server.url);
  await enter(context, server.url, ada);
  await page.goto(`${server.url}/w/${ada.slug}/knowledge`);
  const problem = { title: "A limit is reached", status: 409, detail: "200 knowledge bases", code: "limit_reached" };
  await page.route("**/knowledge-bases", (route, request) =>
    request.method() === "POST"
      ? route.fulfill({ status: 409, contentType: "application/problem+json", body: JSON.stringify(problem) })
      : route.fallback(),
  );
  await page.getByRole("button", { name: "New knowledge base" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("One too many");
  await dialog.getByRole("button", { name: "Create" }).click();
  const said = dialog
    .getByRole("alert")
    .getByText("A limit is reached. 200 knowledge bases. Delete what is no longer needed");
  await said.waitFor();
  expect(await barriers(page)).toEqual([]);
  await context.close();
});
