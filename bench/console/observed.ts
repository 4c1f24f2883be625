import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { enter, type Person } from "../../test/browser/support/person.ts";

/** The browser's measurements of a page. Times are in milliseconds since the navigation. */
export interface Observed {
  /** First and largest contentful paint. */
  fcp: number;
  lcp: number;
  /** The sum of unexpected layout shifts. */
  shift: number;
  /** The first frame in which the awaited element exists. */
  shown: number;
  longTasks: { start: number; duration: number }[];
  /** The durations of the paints after key presses and clicks. Only those of at least 16 ms are reported. */
  events: number[];
  /** The bytes received over the network. */
  bytes: number;
}

/** Runs in the page before its own scripts. */
const OBSERVE = `(selector => {
  const seen = (globalThis.measured = { fcp: 0, lcp: 0, shift: 0, shown: 0, longTasks: [], events: [] });
  const watch = (type, take, options) =>
    new PerformanceObserver(list => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options });
  watch("paint", entry => entry.name === "first-contentful-paint" && (seen.fcp = entry.startTime));
  watch("largest-contentful-paint", entry => (seen.lcp = entry.startTime));
  watch("layout-shift", entry => entry.hadRecentInput || (seen.shift += entry.value));
  watch("longtask", entry => seen.longTasks.push({ start: entry.startTime, duration: entry.duration }));
  watch("event", entry => entry.interactionId && seen.events.push(entry.duration), { durationThreshold: 16 });
  const look = () => {
    if (document.querySelector(selector)) requestAnimationFrame(() => (seen.shown = performance.now()));
    else requestAnimationFrame(look);
  };
  look();
})`;

const SHOWN = `new Promise(done => {
  const look = () => (measured.shown > 0 ? done() : requestAnimationFrame(look));
  look();
})`;

const READ = `({
  ...measured,
  bytes: performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
    .reduce((sum, entry) => sum + entry.transferSize, 0),
})`;

export interface Seat {
  context: BrowserContext;
  page: Page;
  cdp: CDPSession;
  /** Opens a page, and waits until the element is drawn. */
  open: (address: string) => Promise<void>;
  /** The measurements so far. */
  read: () => Promise<Observed>;
  /** Discards the long tasks and events so far. */
  forget: () => Promise<void>;
}

const WAIT_MS = 120_000;

/** A signed-in browser window with an empty cache. It records when an element with this selector is drawn. */
export async function sit(browser: Browser, url: string, person: Person | undefined, selector: string): Promise<Seat> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-GB" });
  context.setDefaultTimeout(WAIT_MS);
  if (person) await enter(context, url, person);
  await context.addInitScript(`${OBSERVE}(${JSON.stringify(selector)})`);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  return {
    ...{ context, page, cdp },
    async open(address) {
      await page.goto(address, { waitUntil: "load" });
      await page.evaluate(SHOWN);
    },
    read: () => page.evaluate(READ),
    forget: () => page.evaluate("void (measured.longTasks.length = measured.events.length = 0)"),
  };
}

/** When a page was drawn and idle again: the end of the last long task, or the time at which it was shown. */
export const interactiveAt = ({ shown, longTasks }: Observed): number =>
  Math.max(shown, ...longTasks.map(({ start, duration }) => start + duration));

/** The longest task, in milliseconds; 0 if no task took 50 ms. */
export const longestTask = ({ longTasks }: Observed): number => Math.max(0, ...longTasks.map(task => task.duration));

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Processor time of the thread, in microseconds. */
  tdur?: number;
  args?: { name?: string };
}

/**
 * The largest processor time of one task of a page's main thread during an action, in milliseconds. Other work of the
 * machine makes a task take longer, but hardly changes its processor time.
 */
export async function mostProcessorMs({ cdp }: Pick<Seat, "cdp">, act: () => Promise<unknown>): Promise<number> {
  const events: TraceEvent[] = [];
  cdp.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const over = new Promise(done => cdp.once("Tracing.tracingComplete", done));
  await cdp.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["toplevel", "__metadata"] },
  });
  await act();
  await cdp.send("Tracing.end");
  await over;
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const pages = new Set(
    events.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain").map(threadOf),
  );
  const tasks = events.filter(event => event.ph === "X" && /RunTask$/.test(event.name) && pages.has(threadOf(event)));
  if (tasks.length === 0) throw new Error("The trace has no task of the page");
  return tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur), 0) / 1_000;
}

const MIB = 1_048_576;

/** The JavaScript heap after a collection, in MiB. */
export async function heapOf({ cdp }: Pick<Seat, "cdp">): Promise<number> {
  await cdp.send("HeapProfiler.collectGarbage");
  const { usedSize } = await cdp.send("Runtime.getHeapUsage");
  return usedSize / MIB;
}

export const elementsIn = (page: Page): Promise<number> => page.evaluate("document.getElementsByTagName('*').length");

/** The time from a script in the page to the frame in which an element with the selector is drawn, in milliseconds. */
export const drawnAfter = (page: Page, act: string, selector: string): Promise<number> =>
  page.evaluate(`new Promise(done => {
    const began = performance.now();
    ${act};
    const look = () => {
      if (!document.querySelector(${JSON.stringify(selector)})) return requestAnimationFrame(look);
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
    };
    look();
  })`);

/** The times between frames during an action, in milliseconds. */
export async function framesDuring(page: Page, act: () => Promise<unknown>): Promise<number[]> {
  await page.evaluate(`
    globalThis.frames_ = [];
    globalThis.watching = true;
    const frame = at => { frames_.push(at); watching && requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
  `);
  await act();
  const at = await page.evaluate<number[]>("(watching = false, frames_)");
  return at.slice(1).map((time, n) => time - at[n]!);
}
