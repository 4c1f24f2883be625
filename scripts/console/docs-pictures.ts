import type { Browser, Page } from "playwright-core";
import { visit } from "../../test/browser/support/browser.ts";
import { enter, type Person } from "../../test/browser/support/person.ts";

const SIZE = { width: 1_280, height: 760 };
const SETTLE_MS = 1_500;

interface Shown {
  name: string;
  path: string;
  act?: (page: Page) => Promise<unknown>;
}

/** Takes the pictures at the beginning of the README, into a folder of the repository. */
export async function takeDocs(browser: Browser, url: string, person: Person, shown: readonly Shown[], folder: string) {
  const { context, page, quiet } = await visit(browser, url, { viewport: SIZE, colorScheme: "light" });
  try {
    await enter(context, url, person);
    for (const { name, path, act } of shown) {
      await page.goto(url + path, { waitUntil: "load" });
      await quiet();
      await act?.(page);
      await page.waitForTimeout(SETTLE_MS);
      await page.screenshot({ path: `${folder}/${name}.png` });
    }
  } finally {
    await context.close();
  }
}
