import type { Browser } from "playwright-core";
import type { Person } from "../../test/browser/support/person.ts";
import { percentile } from "../statistics.ts";
import { interactiveAt, longestTask, type Observed, sit } from "./observed.ts";
import { Report } from "./report.ts";

const SETTLE_MS = 1_000;

interface Opened {
  name: string;
  path: string;
  /** The element whose appearance means that the page shows what it is for. */
  sight: string;
  /** The page is visited without a sign-in. */
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

/** Each page is opened with an empty cache by a browser that has nothing else to do. */
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

/** Keys and clicks on the list of runs, from the press to the paint. */
export async function useList(browser: Browser, url: string, person: Person, path: string): Promise<Report> {
  const report = new Report("Using the list of runs");
  const seat = await sit(browser, url, person, "[data-row]");
  try {
    await seat.open(url + path);
    await seat.forget();
    const keys = ["j", "j", "x", "j", "x", "k", "k", "x", "Escape", "?", "Escape", "Control+k", "Escape"];
    const times = 3;
    for (let n = 0; n < times; n++) {
      for (const key of keys) {
        await seat.page.keyboard.press(key);
        await seat.page.waitForTimeout(60);
      }
    }
    const { events } = await seat.read();
    // The browser does not tell of events that took less than 16 ms.
    const all = [...events, ...Array.from({ length: Math.max(0, times * keys.length - events.length) }, () => 16)];
    report.add("a key to its paint, p98", percentile(all, 98), "ms", 100);
    report.add("a key to its paint, p50", percentile(all, 50), "ms");
  } finally {
    await seat.context.close();
  }
  return report;
}
