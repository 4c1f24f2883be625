import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page, Response } from "playwright-core";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";
import { openBrowser, visit } from "./support/browser.ts";
import { enter, newPerson, type Person } from "./support/person.ts";
import { seed } from "./support/seed.ts";
import { seedResources } from "./support/seed-resources.ts";
import { go } from "./support/whole-console.ts";

let server: Server;
let browser: Browser;
let folder: string;
let ada: Person;
let paths: string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "weft-pseudo-"));
  execFileSync("node", ["scripts/console/build-pseudo-locale.ts", folder], { stdio: "inherit" });
  [server, browser] = await Promise.all([sharedServer(), openBrowser()]);
  ada = await newPerson(server.url);
  const ids = await seed(ada);
  const { base, api } = await seedResources(ada);
  const runs = (await ada.api.get(`${ada.space}/executions?workflowId=${ids.get("Ship an order")}`)).body;
  const [second, first] = (runs as { id: string }[]).map(({ id }) => id);
  const [asking] = (await ada.api.get(`${ada.space}/executions?status=suspended`)).body as { id: string }[];
  const { slug, workspaceId } = ada;
  const builder = `/s/${workspaceId}/f/${ids.get("Ship an order")}`;
  const run = `/s/${workspaceId}/runs/${first}`;
  const inWorkspace = [
    ...["", "/workflows", "/runs", "/approvals", "/schedules", "/webhooks", "/templates", "/knowledge", "/tools"],
    ...["/memory", "/playground", "/files", `/knowledge/${base}`, `/knowledge/${base}?tab=files`, `/tools/apis/${api}`],
    ...["general", "members", "spaces", "keys", "credentials", "variables", "usage", "audit"].map(
      tab => `/settings/${tab}`,
    ),
    ...[builder, `${builder}?n=each`, `${builder}/versions?v=2&from=1`, `/runs/${first}/vs/${second}`],
    ...["", "?n=each", "?view=timeline", "?view=log", "?view=data"].map(query => run + query),
  ];
  const outside = ["/me", "/me/notifications", `/a/${workspaceId}/${asking!.id}`, `/w/${slug}x`];
  paths = [...inWorkspace.map(path => `/w/${slug}${path}`), ...outside];
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const TYPES: Record<string, string> = {
  js: "text/javascript",
  css: "text/css",
  html: "text/html",
  svg: "image/svg+xml",
};

/** Serves the pages of the pseudo-locale in place of the service's own. */
async function inPseudoLocale(context: BrowserContext): Promise<void> {
  await context.route(
    url => !url.pathname.startsWith("/v1/"),
    async route => {
      const { pathname } = new URL(route.request().url());
      const isAsset = pathname.startsWith("/assets/");
      const file = isAsset ? pathname : pathname.startsWith("/a/") ? "/answer.html" : "/index.html";
      const contentType = TYPES[file.split(".").at(-1)!] ?? "application/octet-stream";
      await route.fulfill({ path: folder + file, contentType });
    },
  );
}

/** Every text that a page shows or says: text, names and descriptions. Keys, code and what is edited are no language. */
const TEXTS = `(() => {
  const found = [];
  // The document itself has the frame that is there before the scripts.
  const skip = "noscript, .frame, .frame-failed, kbd, code, pre, script, style, textarea, [contenteditable], [data-editor]";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest(skip)) found.push(walker.currentNode.data);
  for (const name of ["aria-label", "aria-description", "title", "placeholder", "alt", "aria-valuetext"]) {
    for (const one of document.body.querySelectorAll("[" + name + "]")) found.push(one.getAttribute(name));
  }
  return found;
})()`;

/** What of a text is outside of all marks. */
function unmarked(text: string): string[] {
  let rest = text;
  for (let before = ""; before !== rest;) {
    before = rest;
    rest = rest.replace(/⟦[^⟦⟧]*⟧/g, "\n");
  }
  // Several data stand side by side; an id ends the label of what has no other name.
  const pieces = rest.split(/\n|·|, | [0-9a-f]{6}$/);
  return pieces.map(piece => piece.trim());
}

/** Every text of an answer, without the marks of code in it, and every name of a field. */
function textsIn(value: unknown, into: Set<string>): void {
  if (typeof value === "string") into.add(value.replaceAll("`", "").trim().toLowerCase());
  else if (typeof value === "object" && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      into.add(name.toLowerCase());
      textsIn(one, into);
    }
  }
}

/** Returns a function that gives the texts that the service gave the pages of a window. */
function dataOf(context: BrowserContext): () => Promise<ReadonlySet<string>> {
  const data = new Set([ada.name.toLowerCase(), ada.email]);
  const reading: Promise<void>[] = [];
  const keep = async (response: Response) => {
    if (!(response.headers()["content-type"] ?? "").includes("json")) return;
    textsIn(await response.json().catch(() => null), data);
  };
  context.on("response", response => void reading.push(keep(response)));
  return async () => {
    await Promise.all(reading.splice(0));
    return data;
  };
}

const INITIALS = /^\p{Lu}{2}$/u;
/** The library of the canvas wants to be named. */
const PRODUCT = /^(React Flow|React Flow attribution)$/;
/** A kind of thing with its id, and a call of an API. */
const ADDRESS = /^[\w-]+ [0-9a-f-]{36}$|^[A-Z]+ \/|^[{["]/;
const FIELD = /^[\w.[\]/:@<>#-]+$/;

/** The texts of the page that are neither data nor from the messages. */
async function bypassing(page: Page, data: ReadonlySet<string>): Promise<string[]> {
  const all = [...data];
  // Labels of fields are their names with a capital letter.
  const isData = (given: string, text = given.toLowerCase()) =>
    data.has(text) ||
    [INITIALS, PRODUCT, ADDRESS].some(pattern => pattern.test(given)) ||
    // Paths, versions and what identifies something are no words of a language.
    (FIELD.test(text) && /[\d._/:@-]/.test(text)) ||
    all.some(one => text.length > 3 && one.length < 500 && one.includes(text));
  const texts = await page.evaluate<string[]>(TEXTS);
  const pieces = texts.flatMap(unmarked).filter(text => /\p{L}{2}/u.test(text));
  return [...new Set(pieces)].filter(text => !isData(text));
}

it("every page shows only text from the message catalogue or from data", async () => {
  const visited = await visit(browser, server.url);
  const { context, page } = visited;
  await inPseudoLocale(context);
  const data = dataOf(context);
  const found: string[] = [];
  const look = async (path: string) => {
    await go(server, visited, path);
    found.push(...(await bypassing(page, await data())).map(text => `${path}: ${text}`));
  };
  for (const path of ["/sign-in", "/sign-up", "/forgot-password"]) await look(path);
  await enter(context, server.url, ada);
  for (const path of paths) await look(path);
  // The page is really in the other language.
  expect(await page.locator("body").innerText()).toContain("⟦");
  expect(found).toEqual([]);
  await context.close();
}, 300_000);
