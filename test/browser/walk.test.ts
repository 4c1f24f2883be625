import type { Browser, Page } from "playwright-core";
import type { Role } from "../../contracts/primitives.ts";
import { addMembers } from "../support/members.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";
import { barriers } from "./support/barriers.ts";
import { openBrowser, visit, type Visit } from "./support/browser.ts";
import { enter, newPerson, type Person } from "./support/person.ts";
import { seed } from "./support/seed.ts";

let server: Server;
let browser: Browser;
let owner: Person;
const colleagues = new Map<Role, Person>();
/** The pages of a workspace that is full, and those of one in which nothing is. */
let full: string[];
let empty: string[];

beforeAll(async () => {
  [server, browser] = await Promise.all([sharedServer(), openBrowser()]);
  owner = await newPerson(server.url);
  const names = { viewer: "Vera Viewer", editor: "Eda Editor", admin: "Alan Admin" } as const;
  for (const [role, name] of Object.entries(names)) {
    colleagues.set(role as Role, await newPerson(server.url, name, `Desk of ${name}`));
  }
  const ids = await seed(owner);
  const members = [...colleagues].map(async ([role, { api }]) => {
    const { body } = await api.get("/v1/auth/me");
    return { workspaceId: owner.workspaceId, userId: body.id as string, role };
  });
  await addMembers(server.dataDir, await Promise.all(members));
  const runsOf = async (query: string) =>
    ((await owner.api.get(`${owner.space}/executions?${query}`)).body as { id: string }[]).map(({ id }) => id);
  const [asking] = await runsOf("status=suspended");
  const workflow = ids.get("Ship an order")!;
  const [second, first] = await runsOf(`workflowId=${workflow}`);
  const { slug, workspaceId } = owner;
  const builder = `/w/${slug}/s/${workspaceId}/f/${workflow}`;
  const run = `/w/${slug}/s/${workspaceId}/runs`;
  const lists = ({ slug: w }: Person) => [
    ...["", "/workflows", "/runs", "/approvals", "/schedules", "/webhooks", "/templates"].map(path => `/w/${w}${path}`),
    ...["/knowledge", "/tools", "/memory", "/playground", "/files"].map(path => `/w/${w}${path}`),
    ...["general", "members", "keys", "credentials", "variables", "usage", "audit"].map(
      tab => `/w/${w}/settings/${tab}`,
    ),
    ...["/me", "/me/notifications"],
  ];
  full = [
    ...lists(owner),
    ...["", "?n=each", "/versions?v=2&from=1"].map(rest => builder + rest),
    ...["", "?n=each", "?view=timeline", "?view=log", "?view=data"].map(query => `${run}/${first}${query}`),
    ...[`/w/${slug}/runs/${first}/vs/${second}`, `${run}/${asking}`, `/a/${workspaceId}/${asking}`],
  ];
  empty = lists(colleagues.get("admin")!);
});
afterAll(() => browser?.close());

/** Opens a page, and waits until all that it has asked for is there. */
async function go({ page, quiet }: Visit, path: string) {
  await page.goto(server.url + path);
  await page.getByRole("heading").first().waitFor();
  await quiet();
}

/** Says which barriers a page has: all that axe knows in the light theme, and colours in the dark one, without motion. */
async function barriersIn(page: Page, path: string): Promise<string[]> {
  const found = (await barriers(page)).map(barrier => `${path}: ${barrier}`);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  const dark = (await barriers(page, ["color-contrast"])).map(barrier => `${path}, dark: ${barrier}`);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "no-preference" });
  return [...found, ...dark];
}

async function sees(person: Person): Promise<Visit & { refused: string[] }> {
  const visited = await visit(browser, server.url);
  await enter(visited.context, server.url, person);
  const refused: string[] = [];
  visited.page.on("response", response => void (response.status() === 403 && refused.push(response.url())));
  return { ...visited, refused };
}

/** Buttons that a role lacks have to say which one it takes; others may be disabled for a reason of their own. */
const UNSAID = `[...document.querySelectorAll("main button:disabled, main [aria-disabled=true]")]
  .filter(one => one.checkVisibility() && !one.title && !one.ariaDescription && !one.getAttribute("aria-describedby"))
  .map(one => one.getAttribute("aria-label") ?? one.textContent.trim())`;
/** What is disabled for everybody: there is nothing to undo, to save or to read. */
const IDLE = /^(Nothing to|Save|Change password|Mark all as read)/;

it("every page can be walked by a person of each role: what is missing says so, and nothing is refused", async () => {
  const walk = async ([role, person]: [Role, Person]) => {
    const visited = await sees(person);
    const unsaid: string[] = [];
    for (const path of full.filter(one => !one.includes("?"))) {
      await go(visited, path);
      const silent = await visited.page.evaluate<string[]>(UNSAID);
      unsaid.push(...silent.filter(name => !IDLE.test(name)).map(name => `${path}: ${name}`));
    }
    await visited.context.close();
    return [role, { unsaid, refused: visited.refused, faults: visited.guard.faults }] as const;
  };
  const nothing = { unsaid: [], refused: [], faults: [] };
  expect(await Promise.all([...colleagues].map(walk))).toEqual([...colleagues.keys()].map(role => [role, nothing]));
});

it.each(["lists and settings", "workflows and runs"])("no page has barriers when it is full: %s", async kind => {
  const visited = await sees(owner);
  const found: string[] = [];
  const isOfOne = (path: string) => path.includes("/s/") || path.includes("/vs/") || path.startsWith("/a/");
  for (const path of full.filter(one => isOfOne(one) === (kind === "workflows and runs"))) {
    await go(visited, path);
    found.push(...(await barriersIn(visited.page, path)));
  }
  expect(found).toEqual([]);
  expect(visited.refused).toEqual([]);
  expect(visited.guard.faults).toEqual([]);
  await visited.context.close();
});

it("no page has barriers when nothing is in it", async () => {
  const visited = await sees(colleagues.get("admin")!);
  const found: string[] = [];
  for (const path of empty) {
    await go(visited, path);
    found.push(...(await barriersIn(visited.page, path)));
  }
  expect(found).toEqual([]);
  expect(visited.guard.faults).toEqual([]);
  await visited.context.close();
});

const PROBLEM = {
  status: 422,
  contentType: "application/problem+json",
  body: JSON.stringify({
    ...{ type: "/docs/api#errors", title: "The input is not valid", status: 422, code: "validation_failed" },
    ...{ detail: "The store does not answer.", requestId: "0198c1d2-0000-7000-8000-000000000000" },
  }),
};

it.each(["failing", "loading"])("no page has barriers while it is %s", async state => {
  const visited = await sees(owner);
  const { context, page, guard } = visited;
  guard.allow(/status of 422/);
  const isData = (url: URL) => url.pathname.startsWith(`/v1/workspaces/${owner.workspaceId}/`);
  await context.route(isData, route => (state === "failing" ? route.fulfill(PROBLEM) : undefined));
  const found: string[] = [];
  // One of each kind: the views of a page load and fail alike.
  for (const path of full.filter(one => !one.includes("?"))) {
    await page.goto(server.url + path);
    const shown = state === "failing" ? page.getByRole("alert") : page.getByRole("status");
    await shown.or(page.getByRole("heading")).first().waitFor();
    found.push(...(await barriersIn(page, path)));
  }
  expect(found).toEqual([]);
  expect(guard.faults).toEqual([]);
  await context.close();
});
