import type { Browser } from "playwright-core";
import { newWorkflow } from "../../test/support/api.ts";
import { definition, node } from "../../test/support/definition.ts";
import { untilEnd } from "../../test/support/follow.ts";
import type { Person } from "../../test/browser/support/person.ts";
import { percentile } from "../statistics.ts";
import { drawnAfter, elementsIn, framesDuring, heapOf, longestTask, mostProcessorMs, sit } from "./observed.ts";
import { Report } from "./report.ts";

const ITEMS = 10_000;
const AT_A_TIME = 50;
const LOOK_MS = 1_000;
const TREE = '[role="tree"][aria-label="Steps"] [role="treeitem"]';
const VALUE = '[role="tree"][aria-label="Value"] [role="treeitem"]';

const addressOf = ({ slug, workspaceId }: Person, id: string) => `/w/${slug}/s/${workspaceId}/runs/${id}`;

async function start({ api, space }: Person, graph: object): Promise<string> {
  const workflowId = await newWorkflow(api, space, graph);
  const { status, body } = await api.post(`${space}/executions`, { workflowId });
  if (status !== 201) throw new Error(`A run answered ${status}: ${JSON.stringify(body)}`);
  return body.id as string;
}

/** A map of 10,000 items, three of which fail, that takes about this long. */
function slowMap(seconds: number) {
  const ms = Math.max(1, Math.round((seconds * 1_000 * AT_A_TIME) / ITEMS));
  const failing = "{{ item in [17, 5000, 9999] ? $error('Out of stock') : " + ms + " }}";
  return definition([
    node("each", "map", { items: `{{ [1..${ITEMS}] }}`, concurrency: AT_A_TIME }, { name: "Reserve each line" }),
    node("wait", "delay", { ms: failing }, { name: "Wait", parentId: "each", policy: { onError: "continue" } }),
  ]);
}

/** A run that is followed from its start to its end, with its items open, while key presses move through them. */
export async function followRun(browser: Browser, url: string, person: Person, seconds: number): Promise<Report> {
  const report = new Report(`A live run of ${ITEMS.toLocaleString("en")} items`);
  const id = await start(person, slowMap(seconds));
  const began = performance.now();
  const seat = await sit(browser, url, person, TREE);
  const { page } = seat;
  let largest = 0;
  page.on("response", response => {
    if (!response.url().includes("/v1/") || /\/events(\?|$)/.test(response.url())) return;
    void response.body().then(
      body => (largest = Math.max(largest, body.length)),
      () => undefined,
    );
  });
  try {
    await seat.open(url + addressOf(person, id));
    report.add("first contentful paint", (await seat.read()).fcp, "ms", 1_500);
    report.add("its steps are drawn", (await seat.read()).shown, "ms", 1_500);
    await page.getByRole("tree", { name: "Steps" }).focus();
    for (const key of ["ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
    await page.locator(TREE).filter({ hasText: /^Item/ }).first().waitFor();
    await seat.forget();
    const [heaps, elements]: number[][] = [[], []];
    let pressed = 0;
    const ended = untilEnd(person.api, `${person.space}/executions/${id}`);
    const over = ended.then(() => true);
    const pause = () => new Promise<false>(done => setTimeout(() => done(false), LOOK_MS));
    do {
      for (const key of ["ArrowDown", "ArrowDown", "ArrowUp"]) await page.keyboard.press(key);
      pressed += 3;
      // The collection of the heap would delay the paint of the last key.
      await page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 100)))");
      heaps!.push(await heapOf(seat));
      elements!.push(await elementsIn(page));
    } while (!(await Promise.race([over, pause()])));
    await page.locator("header").getByText("Completed", { exact: true }).first().waitFor();
    const { events, longTasks } = await seat.read();
    const all = [...events, ...Array.from({ length: Math.max(0, pressed - events.length) }, () => 16)];
    report.add("the run took", (performance.now() - began) / 1_000, "s");
    report.add("heap, most", Math.max(...heaps!), "MiB", 150);
    report.add("elements, most", Math.max(...elements!), "", 1_500);
    report.add("largest answer", largest / 1_024, "KiB", 300);
    report.add("a key to its paint while it runs, p98", percentile(all, 98), "ms", 100);
    report.add(
      "longest task while it runs",
      longTasks.reduce((most, { duration }) => Math.max(most, duration), 0),
      "ms",
    );
  } finally {
    await seat.context.close();
  }
  return report;
}

/** Sixteen outputs of just under 256 KiB, which a map combines into one value. */
const LARGE = definition([
  node("each", "map", { items: "{{ [1..16] }}" }, { name: "Read each page" }),
  node(
    "page",
    "transform",
    { value: '{{ [1..4000].{"n": $, "text": "some forty characters in each of these rows"} }}' },
    { name: "Read", parentId: "each" },
  ),
]);

export async function readValue(browser: Browser, url: string, person: Person, repeats: number): Promise<Report> {
  const report = new Report("A value of 4 MiB");
  const id = await start(person, LARGE);
  const path = `${person.space}/executions/${id}`;
  await untilEnd(person.api, path);
  const { body } = await person.api.get(`${path}/output?nodeId=each`);
  report.add("its size", JSON.stringify(body.output).length / 1_048_576, "MiB");
  const opening: number[] = [];
  const searching: number[] = [];
  const tasks: number[] = [];
  const worked: number[] = [];
  const frames: number[] = [];
  for (let n = 0; n < repeats; n++) {
    const seat = await sit(browser, url, person, TREE);
    const { page } = seat;
    try {
      await seat.open(url + addressOf(person, id));
      await page.locator(TREE).filter({ hasText: "Read each page" }).waitFor();
      await page.waitForTimeout(1_000);
      opening.push(await drawnAfter(page, `document.querySelector('${TREE}').click()`, VALUE));
      const value = page.getByRole("tree", { name: "Value" });
      await value.focus();
      // The first page is expanded, so that there are thousands of lines.
      for (const key of ["ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
      await page.locator(VALUE).nth(20).waitFor();
      await seat.forget();
      await value.hover();
      const scroll = async () => {
        for (let turn = 0; turn < 60; turn++) {
          await page.mouse.wheel(0, 600);
          await page.waitForTimeout(16);
        }
      };
      frames.push(...(await framesDuring(page, scroll)));
      tasks.push(longestTask(await seat.read()));
      worked.push(await mostProcessorMs(seat, scroll));
      await seat.forget();
      await page.getByRole("searchbox").fill("forty");
      await page.getByText("1,000 or more").waitFor();
      searching.push(longestTask(await seat.read()));
    } finally {
      await seat.context.close();
    }
  }
  report.add("from the press to its lines, with the request", opening, "ms", 500);
  report.add("scrolling, longest task", tasks, "ms", 50);
  report.add("scrolling, most processor time of a task", worked, "ms", 50);
  report.add("scrolling, time of a frame p95", percentile(frames, 95), "ms");
  report.add("searching, longest task", searching, "ms");
  return report;
}
