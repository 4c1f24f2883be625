import { readFileSync } from "node:fs";
import type { Role } from "../../contracts/primitives.ts";
import type { Page } from "playwright-core";
import type { Visit } from "./support/browser.ts";
import type { Person } from "./support/person.ts";
import { tooWide } from "./support/room.ts";
import {
  barriersIn,
  barriersOn,
  go,
  isView,
  load,
  openWholeConsole,
  sees,
  type WholeConsole,
} from "./support/whole-console.ts";

let all: WholeConsole;

beforeAll(async () => {
  all = await openWholeConsole();
});
afterAll(() => all?.browser.close());

/** Buttons that a role lacks have to say which one it takes; others may be disabled for a reason of their own. */
const UNSAID = `[...document.querySelectorAll("main button:disabled, main [aria-disabled=true]")]
  .filter(one => one.checkVisibility() && !one.title && !one.ariaDescription && !one.getAttribute("aria-describedby"))
  .map(one => one.getAttribute("aria-label") ?? one.textContent.trim())`;
/** What is disabled for everybody: there is nothing to undo, to save or to read. */
const IDLE = /^(Nothing to|Save|Mark all as read)/;

/** Routes that other suites open: before a sign-in, of operators, of a server of tools, and those that lead elsewhere. */
const ELSEWHERE =
  /^\/(sign-|forgot|reset|confirm|sso|invite|command|operator)|^\/tools\/servers\/|\/(runs|triggers|settings)$/;

it("every route is among the pages that are walked", () => {
  const { slug } = all.owner;
  const walked = all.full.map(path => path.replace(`/w/${slug}`, "").replace(/\?.*$/, "") || "/");
  const files = ["router.tsx", "entry-routes.ts", "resource-routes.ts", "workflow-routes.ts"];
  const routes = files.flatMap(file => [...readFileSync(`console/${file}`, "utf8").matchAll(/path: "(\/[^"]*)"/g)]);
  expect(routes.length).toBeGreaterThan(30);
  const isWalked = (route: string) => {
    const pattern = new RegExp(`^${route.replace(/\$\w+/g, "[^/]+")}$`);
    return walked.some(path => pattern.test(path));
  };
  expect(routes.map(([, route = ""]) => route).filter(route => !isWalked(route) && !ELSEWHERE.test(route))).toEqual([]);
});

it("each role can open every page: pages say what is missing, and no request is refused", async () => {
  const walk = async ([role, person]: [Role, Person]) => {
    const visited = await sees(all, person);
    const unsaid: string[] = [];
    // One comes to each page by its address, the others from the page before.
    const open = role === "viewer" ? load : go;
    for (const path of all.full.filter(one => !isView(one))) {
      await open(all, visited, path);
      const silent = await visited.page.evaluate<string[]>(UNSAID);
      unsaid.push(...silent.filter(name => !IDLE.test(name)).map(name => `${path}: ${name}`));
    }
    await visited.context.close();
    return [role, { unsaid, refused: visited.refused, faults: visited.guard.faults }] as const;
  };
  const nothing = { unsaid: [], refused: [], faults: [] };
  const roles = [...all.colleagues.keys()];
  expect(await Promise.all([...all.colleagues].map(walk))).toEqual(roles.map(role => [role, nothing]));
});

it.each(["lists and settings", "workflows and runs"])(
  "no page with data has accessibility violations: %s",
  async kind => {
    const isOfOne = (path: string) => path.includes("/s/") || path.includes("/vs/") || path.startsWith("/a/");
    const paths = all.full.filter(one => isOfOne(one) === (kind === "workflows and runs"));
    const open = (visited: Visit, path: string) => go(all, visited, path);
    // On the way, each page is also looked at in little room and with large texts.
    const look = async (page: Page, path: string) => [
      ...(await barriersIn(page, path)),
      ...(await tooWide(page, path)),
    ];
    const found = await barriersOn(all, all.owner, paths, open, () => undefined, look);
    expect(found).toEqual({ barriers: [], refused: [], faults: [] });
  },
);
