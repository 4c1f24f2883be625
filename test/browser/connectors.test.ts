import type { Page } from "playwright-core";
import { newWorkflow } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { until } from "../support/until.ts";
import { visit } from "./support/browser.ts";
import { enter } from "./support/person.ts";
import { ada, browser, server } from "./support/scene.ts";

let workspace: string;
beforeAll(() => void (workspace = `/v1/workspaces/${ada.workspaceId}`));

async function opened(path: string): Promise<{ page: Page; close: () => Promise<void> }> {
  const { context, page } = await visit(browser, server.url);
  await enter(context, server.url, ada);
  await page.goto(`${server.url}/w/${ada.slug}${path}`);
  return { page, close: () => context.close() };
}

test("an api step offers the operations of registered APIs, and shows their arguments as fields", async () => {
  const document = {
    ...{ openapi: "3.1.0", info: { title: "Shop", version: "1" }, servers: [{ url: "https://shop.example" }] },
    paths: {
      "/orders/{number}": {
        parameters: [{ name: "number", in: "path", required: true, schema: { type: "integer" } }],
        get: { operationId: "readOrder" },
        delete: { operationId: "cancelOrder" },
      },
    },
  };
  const { body: shop } = await ada.api.post(`${workspace}/apis`, { name: "Shop", document });
  const operations = async () =>
    (await ada.api.get(`${workspace}/apis/${shop.id}/operations`)).body as { id: string; name: string }[];
  await until(async () => (await operations()).length === 2);
  const step = node("call", "api", { toolId: "", arguments: {} });
  const flow = await newWorkflow(ada.api, ada.space, definition([step]));
  const { page, close } = await opened(`/s/${ada.workspaceId}/f/${flow}?n=call`);
  try {
    await page.getByRole("button", { name: "Operation" }).click();
    await page.getByRole("option", { name: "cancelOrder" }).click();
    await page
      .getByRole("textbox", { name: "Number" })
      .or(page.getByRole("spinbutton", { name: "Number" }))
      .waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const wanted = (await operations()).find(({ name }) => name === "cancelOrder")!.id;
    await until(async () => {
      const { body } = await ada.api.get(`${ada.space}/workflows/${flow}`);
      return body.definition.nodes[0].data.toolId === wanted;
    });
  } finally {
    await close();
  }
});

test("an sql step with several statements has fields for the parameters and result of each statement only", async () => {
  const [query, parameters] = ["SELECT 1", []];
  const steps = [
    node("one", "sql", { credential: "", query, parameters }),
    node("two", "sql", { credential: "", statements: [{ query, parameters }] }),
  ];
  const flow = await newWorkflow(ada.api, ada.space, definition(steps, "one > two"));
  for (const { id } of steps) {
    const { page, close } = await opened(`/s/${ada.workspaceId}/f/${flow}?n=${id}`);
    try {
      await page.getByText("Safety and limits").waitFor();
      for (const label of ["Parameters", "Result"])
        expect([id, label, await page.getByText(label, { exact: true }).count()]).toEqual([id, label, 1]);
    } finally {
      await close();
    }
  }
});

test("an e-mail step says a fault once, and a new mail server has no choice beside its kinds of encryption", async () => {
  const step = node("mail", "email", { credential: "", to: "", subject: "Hello", text: "Hello" });
  const flow = await newWorkflow(ada.api, ada.space, definition([step]));
  const { page, close } = await opened(`/s/${ada.workspaceId}/f/${flow}?n=mail`);
  try {
    const form = page.getByRole("complementary");
    const fault = form.getByText(/^Expected one address, such as ada@example.com or/);
    await fault.waitFor();
    expect(await fault.locator("code").allInnerTexts()).toEqual(["ada@example.com", "Ada <ada@example.com>"]);
    await form.getByRole("button", { name: /^Credential/ }).click();
    await page.getByRole("option", { name: "New credential …" }).click();
    const choices = page.getByRole("dialog").getByLabel("Security").locator("option");
    await choices.first().waitFor({ state: "attached" });
    expect(await choices.allInnerTexts()).toEqual(["starttls", "tls", "off"]);
  } finally {
    await close();
  }
});

test("the form of a model credential creates it, and shows addresses and names as single-line fields", async () => {
  const { page, close } = await opened("/settings/credentials");
  try {
    await page.getByRole("button", { name: "New credential" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "Type" }).click();
    await page.getByRole("option", { name: /^A language model/ }).click();
    await dialog.getByLabel("Name").fill("Own model");
    await dialog.getByLabel("Base URL").fill("https://models.example.com/v1");
    await dialog.getByLabel("API key").fill("sk-conspicuous");
    expect(await dialog.locator("textarea").count()).toBe(0);
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByText("models.example.com").waitFor();
    const { body } = await ada.api.get(`${workspace}/credentials`);
    expect(body).toMatchObject([{ name: "Own model", type: "model", hosts: ["models.example.com"] }]);
  } finally {
    await close();
  }
});
