// Measures the web page against the limits of its design: the weight of its pages, how soon they are drawn, how the
// canvas and long lists move, the cost of a live run of 10,000 items, and what the page adds to an installation. It
// prints Markdown tables with the medians, and ends with 1 if a limit is exceeded. `--quick` measures less often, and
// installs nothing. Words select parts: `npm run bench:console -- sizes runs`. BENCH_LIVE_SECONDS sets the duration of
// the live run, BENCH_RUNS the number of runs in the store, and BENCH_INSTALLS how often `npm ci` runs.
import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import { BUDGETS } from "../../scripts/console/budgets.ts";
import { bundle } from "../../scripts/console/bundle.ts";
import { newWorkflow } from "../../test/support/api.ts";
import { definition, gives } from "../../test/support/definition.ts";
import { removeServer, startServer } from "../../test/support/server.ts";
import { openBrowser } from "../../test/browser/support/browser.ts";
import { newPerson } from "../../test/browser/support/person.ts";
import { useCanvas } from "./canvas.ts";
import { fillRuns } from "./fill.ts";
import { leaveOften } from "./leaks.ts";
import { openPages, usePages } from "./pages.ts";
import { Report } from "./report.ts";
import { followRun, readValue } from "./runs.ts";
import { installOften, startOften } from "./starts.ts";

const PARTS = ["sizes", "pages", "builder", "run", "value", "leaks", "start"] as const;
const SERVED = ["pages", "builder", "run", "value", "leaks"] as const;
const words = process.argv.slice(2);
const quick = words.includes("--quick");
const chosen = words.filter(word => !word.startsWith("--"));
const unknown = chosen.filter(word => !PARTS.some(part => part === word));
if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(", ")}; there are ${PARTS.join(", ")}.`);
const wanted = (part: (typeof PARTS)[number]) => chosen.length === 0 || chosen.includes(part);

const REPEATS = quick ? 3 : 5;
const INSTALLS = Number(process.env.BENCH_INSTALLS ?? (quick ? 0 : 2));
const RUNS = Number(process.env.BENCH_RUNS ?? 100_000);
const LIVE_SECONDS = Number(process.env.BENCH_LIVE_SECONDS ?? (quick ? 20 : 60));
const ENV = { LOG_LEVEL: "warn" };

const reports: Report[] = [];
function tell(report: Report): void {
  reports.push(report);
  console.log(`\n${report.toString()}`);
}

const { version } = process;
const [cpu] = cpus();
execFileSync("node", ["scripts/build-console.ts"]);
const browser = await openBrowser();
console.log(`${cpus().length} × ${cpu?.model ?? "?"}, Node ${version}, Chromium ${browser.version()} without a GPU`);
console.log(`Medians of ${REPEATS} runs${quick ? " (quick)" : ""}`);

if (wanted("sizes")) {
  const report = new Report("What pages load, gzip");
  const { weights } = await bundle(["index.html", "answer.html"]);
  for (const { name, js, css } of weights) {
    const budget = BUDGETS.find(one => one.name === name);
    report.add(`${name}: JavaScript`, js, "KiB", budget?.js);
    report.add(`${name}: CSS`, css, "KiB", budget?.css);
  }
  tell(report);
}

/** The parts that need a service and a browser. */
async function measureServed(): Promise<void> {
  let server = await startServer({ env: ENV });
  try {
    const person = await newPerson(server.url);
    const { api, space, slug, workspaceId } = person;
    if (wanted("pages")) {
      const names = ["Import orders from the shop", "Charge the card", "Nightly report", "Approve an expense"];
      const workflowIds: string[] = [];
      for (const name of names) {
        const { body } = await api.post(`${space}/workflows`, { name, definition: definition([gives("a", 1)]) });
        workflowIds.push(body.id as string);
      }
      const asks = await newWorkflow(
        api,
        space,
        definition([{ id: "ask", type: "human", data: { prompt: "Ship it?" } }]),
      );
      const { body: run } = await api.post(`${space}/executions`, { workflowId: asks });
      const { body: me } = await api.get("/v1/auth/me");
      const port = Number(new URL(server.url).port);
      await server.stop();
      const began = performance.now();
      await fillRuns(server.dataDir, RUNS, { workspaceId, startedBy: me.id as string, workflowIds });
      const seconds = ((performance.now() - began) / 1_000).toFixed(0);
      console.log(`\n${RUNS.toLocaleString("en")} runs were put into the store in ${seconds} s.`);
      server = await startServer({ env: ENV, dataDir: server.dataDir, port });
      const pages = [
        { name: "sign-in", path: "/sign-in", sight: "input[type=password]", outside: true },
        { name: "home", path: `/w/${slug}`, sight: "main li[data-row]" },
        { name: `${RUNS.toLocaleString("en")} runs`, path: `/w/${slug}/runs`, sight: "[data-row]" },
        {
          name: `${RUNS.toLocaleString("en")} runs, failed ones`,
          path: `/w/${slug}/runs?status=failed`,
          sight: "[data-row]",
        },
        { name: "a run", path: `/w/${slug}/s/${workspaceId}/runs/${run.id as string}`, sight: ".react-flow__node" },
        {
          name: "a question",
          path: `/a/${workspaceId}/${run.id as string}`,
          sight: "button[type=submit], form button",
        },
      ];
      tell(await openPages(browser, server.url, person, pages, REPEATS));
      const tab = (name: string) => ({ click: `[role=tab]:has-text("${name}")` });
      const used = [
        {
          name: "the list of runs",
          path: `/w/${slug}/runs`,
          sight: "[data-row]",
          acts: [
            ...["j", "j", "x", "j", "x", "k", "k", "x", "Escape"],
            ...[{ click: "tbody input[type=checkbox]" }, { click: "tbody input[type=checkbox]" }],
          ],
        },
        {
          name: "a run",
          path: `/w/${slug}/s/${workspaceId}/runs/${run.id as string}`,
          sight: ".react-flow__node",
          acts: [
            ...[{ click: ".react-flow__node" }, tab("Question"), tab("Log"), tab("Timeline"), tab("Graph")],
            ...[{ click: "[role=tree]" }, "ArrowDown", "ArrowUp"],
          ],
        },
        {
          name: "approvals",
          path: `/w/${slug}/approvals`,
          sight: "form button",
          acts: ["j", "k", "x", "x"],
        },
      ];
      tell(await usePages(browser, server.url, person, used));
    }
    if (wanted("builder")) tell(await useCanvas(browser, server.url, person, REPEATS));
    if (wanted("run")) tell(await followRun(browser, server.url, person, LIVE_SECONDS));
    if (wanted("value")) tell(await readValue(browser, server.url, person, REPEATS));
    if (wanted("leaks")) tell(await leaveOften(browser, server.url, person, quick ? 10 : 50));
  } finally {
    await removeServer(server);
  }
}

if (SERVED.some(wanted)) await measureServed();
await browser.close();

if (wanted("start")) {
  const report = new Report("Installing and starting");
  await startOften(report, REPEATS);
  if (INSTALLS > 0) installOften(report, INSTALLS);
  tell(report);
}

const missed = reports.flatMap(report => report.missed);
if (missed.length > 0) {
  console.log(`\nMissed:\n${missed.map(line => `- ${line}`).join("\n")}`);
  process.exitCode = 1;
}
