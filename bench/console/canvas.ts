import type { Browser, Page } from "playwright-core";
import { newWorkflow } from "../../test/support/api.ts";
import type { Person } from "../../test/browser/support/person.ts";
import { percentile } from "../statistics.ts";
import { elementsIn, framesDuring, longestTask, type Seat, sit } from "./observed.ts";
import { Report } from "./report.ts";

const NODE = ".react-flow__node";
const COLUMNS = 25;

/** Chains of 25 steps, one below the other. Each step has a fixed position. */
function grid(count: number) {
  const id = (n: number) => `s${n}`;
  const nodes = Array.from({ length: count }, (_, n) => ({
    ...{ id: id(n), type: "transform", name: `Step ${n}`, data: { value: "{{ input }}" } },
    position: { x: (n % COLUMNS) * 304, y: Math.floor(n / COLUMNS) * 104 },
  }));
  const edges = nodes.slice(1).map((_, n) => ({ source: id(n), target: id(n + 1) }));
  return { nodes, edges };
}

const addressOf = ({ slug, workspaceId }: Person, id: string) => `/w/${slug}/s/${workspaceId}/f/${id}`;

async function opened(browser: Browser, url: string, person: Person, id: string): Promise<Seat> {
  const seat = await sit(browser, url, person, NODE);
  await seat.open(url + addressOf(person, id));
  return seat;
}

/** Drags the canvas, and turns the wheel with the control key. */
async function panAndZoom(page: Page): Promise<void> {
  const [x, y] = [900, 700];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let n = 1; n <= 60; n++) await page.mouse.move(x - (n % 30) * 12, y - (n % 20) * 9);
  await page.mouse.up();
  await page.keyboard.down("Control");
  for (let n = 0; n < 40; n++) {
    await page.mouse.wheel(0, n < 20 ? 40 : -40);
    await page.waitForTimeout(16);
  }
  await page.keyboard.up("Control");
}

/** The nodes that change during an action. */
async function changedNodes(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate(`
    globalThis.changed = new Set();
    globalThis.observer = new MutationObserver(list => {
      for (const { target } of list) {
        const node = (target.nodeType === 1 ? target : target.parentElement)?.closest("${NODE}");
        if (node) changed.add(node);
      }
    });
    observer.observe(document.querySelector(".react-flow__nodes"), { subtree: true, attributes: true, childList: true, characterData: true });
  `);
  await act();
  await page.waitForTimeout(400);
  return page.evaluate("(observer.disconnect(), changed.size)");
}

/** The durations of the paints after key presses. The browser does not report those below 16 ms. */
async function keysOf(seat: Seat, keys: readonly string[]): Promise<number[]> {
  await seat.forget();
  for (const key of keys) {
    await seat.page.keyboard.press(key);
    await seat.page.waitForTimeout(100);
  }
  const { events } = await seat.read();
  return [...events, ...Array.from({ length: Math.max(0, keys.length - events.length) }, () => 16)];
}

export async function useCanvas(browser: Browser, url: string, person: Person, repeats: number): Promise<Report> {
  const report = new Report("The builder");
  const [middle, large] = await Promise.all(
    [500, 2_000].map(count => newWorkflow(person.api, person.space, grid(count))),
  );
  const drawn: Record<string, number[]> = {};
  for (const [id, count] of [
    [middle, 500],
    [large, 2_000],
  ] as const) {
    for (let n = 0; n < repeats; n++) {
      const { context, read } = await opened(browser, url, person, id!);
      (drawn[count] ??= []).push((await read()).shown);
      await context.close();
    }
  }
  report.add("500 steps: open to drawn", drawn[500]!, "ms", 800);
  report.add("2,000 steps: open to drawn", drawn[2_000]!, "ms", 3_000);

  const seat = await opened(browser, url, person, middle!);
  const { page } = seat;
  try {
    await page.waitForTimeout(1_000);
    report.add("500 steps: elements", await elementsIn(page), "");
    await seat.forget();
    const frames = await framesDuring(page, () => panAndZoom(page));
    report.add("500 steps: pan and zoom, time of a frame p50", percentile(frames, 50), "ms", 17);
    report.add("500 steps: pan and zoom, time of a frame p95", percentile(frames, 95), "ms", 50);
    report.add("500 steps: pan and zoom, longest task", longestTask(await seat.read()), "ms", 100);
    const canvas = page.getByRole("application", { name: /^Workflow of/ });
    await canvas.focus();
    await page.keyboard.press("Home");
    await page.waitForTimeout(500);
    const selected = await changedNodes(page, () => page.keyboard.press("ArrowRight"));
    report.add("500 steps: nodes drawn again by a selection", selected, "", 3);
    const name = page.getByLabel("Name of the step");
    await name.focus();
    const typed = await keysOf(seat, [..."abcdefghij"]);
    report.add("500 steps: a key in the inspector to its paint, p50", percentile(typed, 50), "ms", 16);
    await canvas.focus();
    const undone = await keysOf(seat, ["Control+z", "Control+Shift+z", "Control+z", "Control+Shift+z"]);
    report.add("500 steps: undo and redo to their paint, p50", percentile(undone, 50), "ms", 50);
  } finally {
    await seat.context.close();
  }
  return report;
}
