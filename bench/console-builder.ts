// `npm run bench:builder` measures the builder: typing in the inspector with a sample of nearly 1 MiB, and dragging one
// of 500 steps. Like `npm run bench:console`, it also measures opening, panning and leaving fifty times with 500 and
// 2,000 steps. It prints Markdown tables with the time to the paint, and with the processor time of the page's thread,
// which depends little on other work of the machine. It ends with 1 if a limit is exceeded. `--quick` measures less
// often. `--cpu` writes a profile of the typing for the developer tools.
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { newWorkflow } from "../test/support/api.ts";
import { definition, node } from "../test/support/definition.ts";
import { untilEnd } from "../test/support/follow.ts";
import { openBrowser } from "../test/browser/support/browser.ts";
import { newPerson, type Person } from "../test/browser/support/person.ts";
import { removeServer, startServer } from "../test/support/server.ts";
import { useCanvas } from "./console/canvas.ts";
import { leaveOften } from "./console/leaks.ts";
import { framesDuring, longestTask, type Seat, sit } from "./console/observed.ts";
import { Report } from "./console/report.ts";
import { percentile } from "./statistics.ts";

const NODE = ".react-flow__node";
const TYPED = "{{ $sum(input.orders[total > 40].lines.price) ";
const LINES = 26;
const BAR_MS = 50;
const PAUSE_MS = 120;

/** Orders of nearly 1 MiB as JSON, a possible input of a run. */
const orders = Array.from({ length: 4_600 }, (_, n) => ({
  ...{ id: `order-${n}`, total: n % 97, customer: { name: `Customer ${n}`, city: "Vienna", tags: ["new", "web"] } },
  lines: [{ sku: `sku-${n}`, price: n % 13, count: 2, note: "no comment of the customer" }],
}));

/** The processor time of the page's thread, in milliseconds. */
async function workedMs({ cdp }: Seat): Promise<number> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1_000;
}

const addressOf = ({ slug, workspaceId }: Person, id: string, step: string) =>
  `/w/${slug}/s/${workspaceId}/f/${id}?n=${step}`;

async function typeWithSample(seat: Seat, url: string, person: Person, report: Report): Promise<void> {
  const { api, space } = person;
  const fields = Object.fromEntries(Array.from({ length: LINES }, (_, n) => [`x-${n}`, `{{ input.orders[${n}].id }}`]));
  const id = await newWorkflow(
    api,
    space,
    definition(
      [node("start", "trigger", {}), node("call", "http", { url: "https://example.com", headers: fields })],
      "start > call",
    ),
  );
  // The call fails, which does not matter: only the input of the run is needed.
  const { body } = await api.post(`${space}/executions`, { workflowId: id, input: { orders } });
  await untilEnd(api, `${space}/executions/${body.id as string}`);
  const { page, cdp } = seat;
  await seat.open(url + addressOf(person, id, "call"));
  await page.getByRole("button", { name: "Values" }).click();
  await page.getByRole("treeitem").filter({ hasText: "orders" }).waitFor();
  await page.getByRole("textbox", { name: /^URL/ }).click();
  await page.locator(".cm-focused").waitFor();
  await page.keyboard.press("Control+a");
  await page.waitForTimeout(1_000);
  await seat.forget();
  const profiles = process.argv.includes("--cpu");
  if (profiles) {
    await cdp.send("Profiler.enable");
    await cdp.send("Profiler.start");
  }
  const before = await workedMs(seat);
  for (const key of TYPED) {
    await page.keyboard.press(key);
    await page.waitForTimeout(PAUSE_MS);
  }
  const worked = (await workedMs(seat)) - before;
  if (profiles) writeFileSync("builder.cpuprofile", JSON.stringify((await cdp.send("Profiler.stop")).profile));
  const { events, longTasks } = await seat.read();
  // The browser does not report paints within 16 ms.
  const paints = [...events, ...Array.from({ length: Math.max(0, TYPED.length - events.length) }, () => 16)];
  const kib = Math.round(JSON.stringify({ orders }).length / 1_024);
  const what = `a key, sample of ${kib} KiB, ${LINES} further expressions, the tree open`;
  report.add(`${what}: to its paint, p50`, percentile(paints, 50), "ms");
  report.add(`${what}: to its paint, p95`, percentile(paints, 95), "ms", BAR_MS);
  report.add(`${what}: processor time of the page's thread`, worked / TYPED.length, "ms");
  report.add(`${what}: longest task`, Math.max(0, ...longTasks.map(({ duration }) => duration)), "ms", 100);
}

async function dragAmong(seat: Seat, url: string, person: Person, count: number, report: Report): Promise<void> {
  const nodes = Array.from({ length: count }, (_, n) => ({
    ...node(`s${n}`, "transform", { value: "{{ input }}" }),
    position: { x: (n % 25) * 304, y: Math.floor(n / 25) * 104 },
  }));
  const edges = nodes.slice(1).map((_, n) => ({ source: `s${n}`, target: `s${n + 1}` }));
  const id = await newWorkflow(person.api, person.space, { nodes, edges });
  const { page } = seat;
  await seat.open(url + addressOf(person, id, "s3"));
  await page.waitForTimeout(1_500);
  const box = await page.locator(`${NODE}[data-id=s3]`).boundingBox();
  if (!box) throw new Error("The step is not in sight");
  await page.mouse.move(box.x + 60, box.y + 20);
  await seat.forget();
  const before = await workedMs(seat);
  const moves = 60;
  const frames = await framesDuring(page, async () => {
    await page.mouse.down();
    for (let n = 1; n <= moves; n++) await page.mouse.move(box.x + 60 - n * 2, box.y + 20 + n * 3);
    await page.mouse.up();
  });
  report.add(`a step dragged among ${count}: time of a frame, p50`, percentile(frames, 50), "ms", 17);
  report.add(`a step dragged among ${count}: time of a frame, p95`, percentile(frames, 95), "ms", BAR_MS);
  report.add(
    `a step dragged among ${count}: processor time of a move`,
    ((await workedMs(seat)) - before) / moves,
    "ms",
  );
  report.add(`a step dragged among ${count}: longest task`, longestTask(await seat.read()), "ms", 100);
}

const quick = process.argv.includes("--quick");
const REPEATS = quick ? 1 : 3;
const CYCLES = quick ? 10 : 50;

const [server, browser] = await Promise.all([startServer({ env: { LOG_LEVEL: "warn" } }), openBrowser()]);
const report = new Report("The builder, by hand");
const reports = [report];
try {
  const person = await newPerson(server.url);
  const seat = await sit(browser, server.url, person, NODE);
  await seat.cdp.send("Performance.enable");
  await typeWithSample(seat, server.url, person, report);
  await dragAmong(seat, server.url, person, 500, report);
  await seat.context.close();
  reports.push(await useCanvas(browser, server.url, person, REPEATS));
  reports.push(await leaveOften(browser, server.url, person, CYCLES));
} finally {
  await browser.close();
  await removeServer(server);
}
console.log(
  `${cpus().length} × ${cpus()[0]?.model ?? "?"}, Chromium ${browser.version()} without a GPU\n\n${reports.join("\n\n")}`,
);
const missed = reports.flatMap(one => one.missed);
if (missed.length > 0) {
  console.log(`\nMissed:\n${missed.map(line => `- ${line}`).join("\n")}`);
  process.exitCode = 1;
}
