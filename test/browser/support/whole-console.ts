import type { Browser, Page } from "playwright-core";
import type { Role } from "../../../contracts/primitives.ts";
import { addMembers } from "../../support/members.ts";
import { sharedServer } from "../../support/shared.ts";
import { barriersInThemes } from "./barriers.ts";
import { openBrowser, visit, type Visit } from "./browser.ts";
import { enter, newPerson, type Person } from "./person.ts";
import { seed } from "./seed.ts";
import { seedResources } from "./seed-resources.ts";

/** The template that asks a person. */
const TEMPLATE = "01993d00-0000-7000-8000-000000000001";

/** Every page of the console, in a workspace with a person of each role. */
export interface WholeConsole {
  url: string;
  browser: Browser;
  owner: Person;
  colleagues: Map<Role, Person>;
  /** The pages of a workspace that is full, and those of one in which nothing is. */
  full: string[];
  empty: string[];
}

export async function openWholeConsole(): Promise<WholeConsole> {
  const [server, browser] = await Promise.all([sharedServer(), openBrowser()]);
  const owner = await newPerson(server.url);
  const names = { viewer: "Vera Viewer", editor: "Eda Editor", admin: "Alan Admin" } as const;
  const colleagues = new Map<Role, Person>();
  for (const [role, name] of Object.entries(names)) {
    colleagues.set(role as Role, await newPerson(server.url, name, `Desk of ${name}`));
  }
  const ids = await seed(owner);
  const { base, api } = await seedResources(owner);
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
  const full = [
    ...listsOf(owner),
    ...[`/knowledge/${base}`, `/knowledge/${base}?tab=files`, `/tools/apis/${api}`, `/templates/${TEMPLATE}`].map(
      path => `/w/${slug}${path}`,
    ),
    ...["", "?n=each", "/versions?v=2&from=1"].map(rest => builder + rest),
    ...["", "?n=each", "?view=timeline", "?view=log", "?view=data"].map(query => `${run}/${first}${query}`),
    ...[`/w/${slug}/runs/${first}/vs/${second}`, `${run}/${asking}`, `/a/${workspaceId}/${asking}`],
  ];
  return { url: server.url, browser, owner, colleagues, full, empty: listsOf(colleagues.get("admin")!) };
}

const listsOf = ({ slug }: Person) => [
  ...["", "/workflows", "/runs", "/approvals", "/schedules", "/webhooks", "/templates"].map(
    path => `/w/${slug}${path}`,
  ),
  ...["/knowledge", "/tools", "/memory", "/playground", "/files"].map(path => `/w/${slug}${path}`),
  ...["general", "members", "spaces", "keys", "credentials", "variables", "usage", "audit"].map(
    tab => `/w/${slug}/settings/${tab}`,
  ),
  ...["/me", "/me/notifications"],
];

/** The views of a page differ by their query. */
export const isView = (path: string) => path.includes("?");

export async function sees({ browser, url }: WholeConsole, person: Person): Promise<Visit & { refused: string[] }> {
  const visited = await visit(browser, url);
  await enter(visited.context, url, person);
  const refused: string[] = [];
  visited.page.on("response", response => void (response.status() === 403 && refused.push(response.url())));
  return { ...visited, refused };
}

/** Opens a page by its address, and waits until all that it has asked for is there. */
export async function load({ url }: WholeConsole, { page, quiet }: Visit, path: string): Promise<void> {
  await page.goto(url + path);
  await page.getByRole("heading").first().waitFor();
  await quiet();
}

/** True for pages that links lead to without loading a document. */
const isInside = (path: string) => /^\/(w\/|me)/.test(path);

/** Opens a page as a link on the page before does, and waits until the router of the console has shown it. */
export async function follow({ url }: Pick<WholeConsole, "url">, page: Page, path: string): Promise<void> {
  if (!isInside(new URL(page.url()).pathname) || !isInside(path)) {
    await page.goto(url + path);
    return;
  }
  await page.evaluate(`new Promise(shown => {
    const router = globalThis.__TSR_ROUTER__;
    const stop = router.subscribe("onResolved", () => shown(stop()));
    void router.navigate({ href: ${JSON.stringify(path)} });
  })`);
}

/** Follows a link, and waits until all that the page has asked for is there. */
export async function go(all: Pick<WholeConsole, "url">, { page, quiet }: Visit, path: string): Promise<void> {
  await follow(all, page, path);
  await page.getByRole("heading").first().waitFor();
  await quiet();
}

/** Says which barriers a page has in each theme. */
export const barriersIn = async (page: Page, path: string): Promise<string[]> =>
  (await barriersInThemes(page)).map(barrier => `${path}, ${barrier}`);

/** So many windows look at pages at a time, since each waits for its server half of the time. */
const WINDOWS = 2;

/** What a person finds on pages, which `open` opens, in windows that `prepare` has prepared. */
export async function barriersOn(
  all: WholeConsole,
  person: Person,
  paths: string[],
  open: (visited: Visit, path: string) => Promise<void>,
  prepare: (visited: Visit) => Promise<unknown> | void = () => undefined,
  look = barriersIn,
): Promise<{ barriers: string[]; refused: string[]; faults: string[] }> {
  const left = [...paths];
  const found = { barriers: [] as string[], refused: [] as string[], faults: [] as string[] };
  const walk = async () => {
    const visited = await sees(all, person);
    await prepare(visited);
    for (let path = left.shift(); path !== undefined; path = left.shift()) {
      await open(visited, path);
      found.barriers.push(...(await look(visited.page, path)));
    }
    found.refused.push(...visited.refused);
    found.faults.push(...visited.guard.faults);
    await visited.context.close();
  };
  await Promise.all(Array.from({ length: WINDOWS }, walk));
  return found;
}
