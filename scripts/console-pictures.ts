// `npm run console:pictures` takes pictures of every page, for review, into console/pictures. Arguments select pages
// and states: `npm run console:pictures -- runs me empty`. `stories` are the components in each of their states.
// `readme` are the pictures of README.md, in docs/pictures. With WEFT_URL it uses a running service.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import type { Browser, Route } from "playwright-core";
import { openBrowser, visit } from "../test/browser/support/browser.ts";
import { enter, newPerson, type Person } from "../test/browser/support/person.ts";
import { seedBare, seedForPictures } from "../test/browser/support/seed-pictures.ts";
import { FakeModels } from "../test/support/fake-models.ts";
import { startMcpServer, usualTools } from "../test/support/mcp-server.ts";
import { addAccounts } from "../test/support/members.ts";
import { removeServer, startServer } from "../test/support/server.ts";
import { takeDocs } from "./console/docs-pictures.ts";
import { ACTS, builderPage, PAGES, type Picture, runPage, type Seen } from "./console/picture-pages.ts";
import { takeStories } from "./console/story-pictures.ts";

const FOLDER = "console/pictures";
type Size = { width: number; height: number };
const SIZES: Size[] = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];
const [WIDE, MIDDLE, NARROW] = SIZES as [Size, Size, Size];
const LOOKS = [
  ["light", WIDE],
  ["dark", WIDE],
  ["light", MIDDLE],
  ["dark", NARROW],
] as const;
const SETTLE_MS = 700;
const OPERATOR = "operator@example.com";

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

interface Visitor {
  person: Person;
  seen: Seen;
}

async function take(
  browser: Browser,
  url: string,
  { person, seen }: Visitor,
  picture: Picture,
  state: string,
  theme: "light" | "dark",
  size: Size,
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
    if (handle) await context.route(url => isData(url) || picture.asks?.test(url.pathname) === true, handle);
    await page.goto(url + picture.path(person, seen), { waitUntil: "load" });
    // Failing requests are retried twice before the page shows the failure.
    if (state === "failing") await page.waitForTimeout(5_000);
    else if (state !== "loading") {
      await quiet();
      // On a busy machine, a page may send requests only after the network was quiet for the first time.
      await page.getByText("Loading", { exact: true }).first().waitFor({ state: "detached" });
      await page.getByRole("heading").first().waitFor();
      await quiet();
    }
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
  const models = await FakeModels.open({ say: () => "Refunds take two weeks. They go to the card that paid." });
  const mcp = await startMcpServer({ tools: usualTools(), name: "Shop" });
  const env = { LLM_BASE_URL: models.baseUrl, LLM_MODEL: "big", OPERATORS: OPERATOR };
  const server = running === undefined ? await startServer({ env }) : undefined;
  const url = running ?? server!.url;
  try {
    const full = await newPerson(url);
    if (server) await addAccounts(server.dataDir, [OPERATOR], full.password);
    const seen: Seen = await seedForPictures(full, mcp.url);
    const filled = { person: full, seen };
    const chief = { person: { ...full, email: OPERATOR }, seen };
    const empty = { person: await newPerson(url, "Grace Hopper", "Empty workspace"), seen };
    const other = await newPerson(url, "Vera Rubin", "Workspace of empty things");
    const bare = { person: other, seen: { ...seen, ...(await seedBare(other)) } };
    if (isChosen(README)) {
      const shown = [
        { name: "builder", path: builderPage("?n=each")(full, seen) },
        { name: "run", path: runPage("")(full, { ...seen, run: seen.runs[1] }) },
      ];
      await takeDocs(browser, url, full, shown, "docs/pictures");
    }
    for (const picture of PAGES.filter(isChosen)) {
      const visitor = picture.operator ? chief : filled;
      for (const state of Object.keys(STATES).filter(isWanted)) {
        // Pages without a sign-in have no empty state.
        if (picture.outside && (state === "empty" || (state !== "full" && !picture.asks))) continue;
        const none = picture.ofOne ? bare : empty;
        const who = state === "empty" && !picture.operator ? none : visitor;
        for (const [theme, size] of LOOKS) await take(browser, url, who, picture, state, theme, size);
      }
    }
    for (const picture of ACTS.filter(isChosen)) await take(browser, url, filled, picture, "act", "light", SIZES[0]!);
  } finally {
    await removeServer(server);
    await models.close();
    await mcp.close();
  }
}

for (const folder of [FOLDER, "docs/pictures"]) mkdirSync(folder, { recursive: true });
const words = process.argv.slice(2);
const wanted = words.filter(word => word in STATES);
const isWanted = (state: string) => wanted.length === 0 || wanted.includes(state);
const chosen = words.filter(word => !(word in STATES));
const isChosen = ({ name }: { name: string }) => chosen.length === 0 || chosen.includes(name);
const browser = await openBrowser();
try {
  if (isChosen({ name: "stories" })) await takeStories(browser, FOLDER, SIZES);
  if ([README, ...PAGES, ...ACTS].some(isChosen)) await takePages(browser, isChosen);
} finally {
  await browser.close();
}
