import type { Browser } from "playwright-core";
import type { Person } from "../../test/browser/support/person.ts";
import { percentile } from "../statistics.ts";
import { interactiveAt, longestTask, type Observed, sit } from "./observed.ts";
import { Report } from "./report.ts";

const SETTLE_MS = 1_000;

interface Opened {
  name: string;
  path: string;
  /** The element that shows that the page is ready. */
  sight: string;
  /** True if the page is visited without a sign-in. */
  outside?: boolean;
}

async function open(browser: Browser, url: string, person: Person, page: Opened): Promise<Observed> {
  const seat = await sit(browser, url, page.outside ? undefined : person, page.sight);
  try {
    await seat.open(url + page.path);
    // Event streams stay open, so the network is never idle.
    await seat.page.waitForTimeout(SETTLE_MS);
    return await seat.read();
  } finally {
    await seat.context.close();
  }
}

/** Opens each page with an empty cache in a browser without other work. */
export async function openPages(
  browser: Browser,
  url: string,
  person: Person,
  pages: readonly Opened[],
  repeats: number,
): Promise<Report> {
  const report = new Report("Opening a page, cold cache, localhost");
  for (const page of pages) {
    // The first visit warms the service, not the browser.
    await open(browser, url, person, page);
    const seen: Observed[] = [];
    for (let n = 0; n < repeats; n++) seen.push(await open(browser, url, person, page));
    const of = (pick: (one: Observed) => number) => seen.map(pick);
    report.add(
      `${page.name}: first contentful paint`,
      of(({ fcp }) => fcp),
      "ms",
      500,
    );
    report.add(
      `${page.name}: its content is drawn`,
      of(({ shown }) => shown),
      "ms",
    );
    report.add(`${page.name}: interactive`, of(interactiveAt), "ms", 1_000);
    report.add(`${page.name}: longest task`, of(longestTask), "ms");
    report.add(
      `${page.name}: layout shift`,
      of(({ shift }) => shift),
      "",
      0.02,
    );
    report.add(
      `${page.name}: over the wire`,
      of(({ bytes }) => bytes / 1_024),
      "KiB",
    );
  }
  return report;
}

interface Used {
  name: string;
  path: string;
  /** The element that shows that the page can be used. */
  sight: string;
  /** Keys, and elements to click by name: tabs, buttons and boxes. */
  acts: readonly (string | { click: string })[];
}

const TIMES = 3;
const BETWEEN_MS = 60;
/** The browser does not report shorter interactions. */
const LEAST_MS = 16;

/** Keys and clicks on pages, from the press to the next paint. */
export async function usePages(browser: Browser, url: string, person: Person, pages: readonly Used[]): Promise<Report> {
  const report = new Report("Using a page");
  const every: number[] = [];
  for (const { name, path, sight, acts } of pages) {
    const seat = await sit(browser, url, person, sight);
    try {
      await seat.open(url + path);
      await seat.page.waitForTimeout(SETTLE_MS);
      await seat.forget();
      for (let n = 0; n < TIMES; n++) {
        for (const act of acts) {
          if (typeof act === "string") await seat.page.keyboard.press(act);
          else await seat.page.locator(act.click).first().click();
          await seat.page.waitForTimeout(BETWEEN_MS);
        }
      }
      const { events } = await seat.read();
      const short = Math.max(0, TIMES * acts.length - events.length);
      const all = [...events, ...Array.from({ length: short }, () => LEAST_MS)];
      every.push(...all);
      report.add(`${name}: an interaction to its paint, p98`, percentile(all, 98), "ms", 100);
      report.add(`${name}: an interaction to its paint, p50`, percentile(all, 50), "ms");
    } finally {
      await seat.context.close();
    }
  }
  report.add("all of these pages: INP, p98", percentile(every, 98), "ms", 100);
  return report;
}
