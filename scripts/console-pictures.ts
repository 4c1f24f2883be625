// `npm run console:pictures`: pictures of every page, for people to look at, in console/pictures. Words after it choose
// pages: `npm run console:pictures -- runs me`; `stories` are the components in each of their states.
// `readme` are those of README.md, in docs/pictures. With WEFT_URL it uses a service that runs already.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import type { Browser, Page, Route } from "playwright-core";
import { openBrowser, visit } from "../test/browser/support/browser.ts";
import { enter, newPerson, type Person } from "../test/browser/support/person.ts";
import { seed } from "../test/browser/support/seed.ts";
import { removeServer, startServer } from "../test/support/server.ts";
import { takeDocs } from "./console/docs-pictures.ts";
import { takeStories } from "./console/story-pictures.ts";

const FOLDER = "console/pictures";
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];
const SETTLE_MS = 700;

interface Seen {
  /** A run that asks a person. */
  run: string;
  /** A workflow of several kinds of steps and two versions, and two of its runs. */
  workflow: string;
  runs: [string, string];
}

interface Picture {
  name: string;
  /** The path of the page. */
  path: (person: Person, seen: Seen) => string;
  /** The page is visited without a sign-in. */
  outside?: boolean;
  act?: (page: Page) => Promise<unknown>;
}

const inWorkspace = (rest: string) => (person: Person) => `/w/${person.slug}${rest}`;

const runPage =
  (query: string) =>
  ({ slug, workspaceId }: Person, { run }: Seen) =>
    `/w/${slug}/s/${workspaceId}/runs/${run}${query}`;

const builderPage =
  (rest: string) =>
  ({ slug, workspaceId }: Person, { workflow }: Seen) =>
    `/w/${slug}/s/${workspaceId}/f/${workflow}${rest}`;

const comparePage = ({ slug }: Person, { runs: [a, b] }: Seen) => `/w/${slug}/runs/${a}/vs/${b}`;

const PAGES: Picture[] = [
  { name: "sign-in", path: () => "/sign-in", outside: true },
  {
    name: "sign-up",
    path: () => "/sign-up",
    outside: true,
    act: page => page.getByLabel("Password", { exact: true }).fill("correct hor"),
  },
  { name: "forgot-password", path: () => "/forgot-password", outside: true },
  { name: "home", path: inWorkspace("") },
  { name: "workflows", path: inWorkspace("/workflows") },
  { name: "runs", path: inWorkspace("/runs") },
  { name: "approvals", path: inWorkspace("/approvals") },
  { name: "run-graph", path: runPage("") },
  { name: "run-step", path: runPage("?n=start") },
  { name: "run-timeline", path: runPage("?view=timeline") },
  { name: "run-log", path: runPage("?view=log") },
  { name: "builder", path: builderPage("") },
  { name: "builder-step", path: builderPage("?n=each") },
  { name: "versions", path: builderPage("/versions?v=2&from=1") },
  { name: "compare", path: comparePage },
  { name: "question", path: ({ workspaceId }, { run }) => `/a/${workspaceId}/${run}` },
  { name: "notifications", path: () => "/me/notifications" },
  { name: "me", path: () => "/me" },
  { name: "schedules", path: inWorkspace("/schedules") },
  { name: "webhooks", path: inWorkspace("/webhooks") },
  ...["templates", "knowledge", "tools", "memory", "files"].map(name => ({ name, path: inWorkspace(`/${name}`) })),
  { name: "credentials", path: inWorkspace("/settings/credentials") },
  { name: "settings", path: inWorkspace("/settings/general") },
  { name: "members", path: inWorkspace("/settings/members") },
  { name: "variables", path: inWorkspace("/settings/variables") },
  { name: "audit", path: inWorkspace("/settings/audit") },
  { name: "keys", path: inWorkspace("/settings/keys") },
];

const press = (name: string) => (page: Page) => page.getByRole("button", { name }).first().click();

/** Parts of pages that an act opens, at one size alone. */
const ACTS: Picture[] = [
  { name: "palette", path: inWorkspace("/runs"), act: page => page.keyboard.press("Control+k") },
  { name: "help", path: inWorkspace("/runs"), act: page => page.keyboard.press("?") },
  {
    name: "workspace-menu",
    path: inWorkspace("/runs"),
    act: page => page.getByRole("button", { name: "Switch workspace" }).first().click(),
  },
  {
    name: "account-menu",
    path: inWorkspace("/runs"),
    act: page => page.getByRole("button", { name: "Your account" }).first().click(),
  },
  {
    name: "run-dialog",
    path: inWorkspace("/workflows"),
    act: page => page.getByRole("button", { name: "Run Approve an expense" }).click(),
  },
  {
    name: "marked",
    path: inWorkspace("/runs"),
    async act(page) {
      await page.getByRole("checkbox").nth(1).check();
      await page.getByRole("checkbox").nth(4).check();
      await page.keyboard.press("Escape");
    },
  },
  { name: "new-key", path: inWorkspace("/settings/keys"), act: press("New key") },
  { name: "new-schedule", path: inWorkspace("/schedules"), act: press("New schedule") },
  { name: "new-webhook", path: inWorkspace("/webhooks"), act: press("New webhook") },
  {
    name: "open-webhook",
    path: inWorkspace("/webhooks"),
    act: page =>
      page
        .getByRole("button", { name: /^Open / })
        .first()
        .click(),
  },
  { name: "filtered", path: inWorkspace("/runs?status=failed,suspended&q=card") },
  { name: "no-match", path: inWorkspace("/runs?q=nothing-like-this") },
  { name: "missing", path: () => "/w/no-such-workspace" },
  {
    name: "wrong-password",
    path: () => "/sign-in",
    outside: true,
    async act(page) {
      await page.getByLabel("E-mail").fill("ada@example.com");
      await page.getByLabel("Password", { exact: true }).fill("not the password");
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
    },
  },
];

const PROBLEM = {
  status: 503,
  contentType: "application/problem+json",
  headers: { "retry-after": "1" },
  body: JSON.stringify({
    type: "/docs/api#errors",
    title: "The service is temporarily unavailable",
    status: 503,
    detail: "The store does not answer.",
    code: "unavailable",
    requestId: "0198c1d2-0000-7000-8000-000000000000",
  }),
};

const README: Picture = { name: "readme", path: () => "" };
const isData = (url: URL) => url.pathname.startsWith("/v1/workspaces/") || url.pathname === "/v1/auth/sessions";
const STATES: Record<string, ((route: Route) => unknown) | undefined> = {
  full: undefined,
  empty: undefined,
  failing: route => route.fulfill(PROBLEM),
  loading: () => undefined,
};

async function take(
  browser: Browser,
  url: string,
  { person, seen }: { person: Person; seen: Seen },
  picture: Picture,
  state: string,
  theme: "light" | "dark",
  size: (typeof SIZES)[number],
) {
  const { context, page, quiet } = await visit(browser, url, {
    viewport: size,
    colorScheme: theme,
    hasTouch: size.width < 720,
    isMobile: size.width < 720,
  });
  try {
    if (!picture.outside) await enter(context, url, person);
    const handle = STATES[state];
    if (handle) await context.route(isData, handle);
    await page.goto(url + picture.path(person, seen), { waitUntil: "load" });
    // Failing requests are tried again twice before the page says so.
    if (state === "failing") await page.waitForTimeout(5_000);
    else if (state !== "loading") await quiet();
    await page.waitForTimeout(SETTLE_MS);
    await picture.act?.(page);
    await page.waitForTimeout(SETTLE_MS);
    await page.screenshot({ path: `${FOLDER}/${picture.name}-${state}-${theme}-${size.width}.png` });
  } finally {
    await context.close();
  }
}

async function takePages(browser: Browser, isChosen: (picture: Picture) => boolean) {
  execFileSync("node", ["scripts/build-console.ts"], { stdio: "inherit" });
  const running = process.env.WEFT_URL;
  const server = running === undefined ? await startServer() : undefined;
  const url = running ?? server!.url;
  try {
    const full = await newPerson(url);
    const workflow = (await seed(full)).get("Ship an order")!;
    const runsOf = async (query: string) =>
      ((await full.api.get(`${full.space}/executions?${query}`)).body as { id: string }[]).map(({ id }) => id);
    const [run = ""] = await runsOf("status=suspended");
    const [second = "", first = ""] = await runsOf(`workflowId=${workflow}`);
    const seen: Seen = { run, workflow, runs: [first, second] };
    const filled = { person: full, seen };
    const empty = { person: await newPerson(url, "Grace Hopper", "Empty workspace"), seen };
    if (isChosen(README)) {
      const shown = [
        { name: "builder", path: builderPage("?n=each")(full, seen) },
        { name: "run", path: runPage("")(full, { ...seen, run: second }) },
      ];
      await takeDocs(browser, url, full, shown, "docs/pictures");
    }
    for (const picture of PAGES.filter(isChosen)) {
      for (const theme of ["light", "dark"] as const) {
        for (const size of SIZES) await take(browser, url, filled, picture, "full", theme, size);
      }
      if (picture.outside) continue;
      for (const state of ["empty", "failing", "loading"]) {
        const visitor = state === "empty" ? empty : filled;
        await take(browser, url, visitor, picture, state, "light", SIZES[0]!);
        await take(browser, url, visitor, picture, state, "dark", SIZES[2]!);
      }
    }
    for (const picture of ACTS.filter(isChosen)) await take(browser, url, filled, picture, "act", "light", SIZES[0]!);
  } finally {
    await removeServer(server);
  }
}

for (const folder of [FOLDER, "docs/pictures"]) mkdirSync(folder, { recursive: true });
const chosen = process.argv.slice(2);
const isChosen = ({ name }: { name: string }) => chosen.length === 0 || chosen.includes(name);
const browser = await openBrowser();
try {
  if (isChosen({ name: "stories" })) await takeStories(browser, FOLDER, SIZES);
  if ([README, ...PAGES, ...ACTS].some(isChosen)) await takePages(browser, isChosen);
} finally {
  await browser.close();
}
