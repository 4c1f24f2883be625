import type { Browser } from "playwright-core";
import { createServer } from "vite";
import { visit } from "../../test/browser/support/browser.ts";
import { viteConfig } from "./vite-config.ts";

const SETTLE_MS = 700;

/** Floating components, by the button that opens them. */
const FLOATING = ["Dialog", "Confirm", "Typed confirm", "Drawer", "Palette", "Picker", "Menu", "Tooltip", "Toasts"];

/** Takes pictures of the stories in `console/stories`, from their sources, because they are not part of a build. */
export async function takeStories(
  browser: Browser,
  folder: string,
  sizes: readonly { width: number; height: number }[],
): Promise<void> {
  const vite = await createServer({ ...viteConfig({}), server: { port: 0, host: "127.0.0.1" } });
  await vite.listen();
  const origin = vite.resolvedUrls?.local[0]?.replace(/\/$/, "") ?? "";
  try {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const viewport of sizes) {
        const { context, page } = await visit(browser, origin, { viewport, colorScheme });
        await page.goto(`${origin}/stories.html`);
        await page.getByRole("heading", { name: "Stories" }).waitFor();
        await page.waitForTimeout(SETTLE_MS);
        const name = (what: string) => `${folder}/stories-${what}-${colorScheme}-${viewport.width}.png`;
        await page.screenshot({ path: name("all"), fullPage: true });
        if (viewport !== sizes[0]) {
          await context.close();
          continue;
        }
        for (const what of FLOATING) {
          await page.reload();
          const button = page.getByRole("button", { name: what, exact: true });
          await (what === "Tooltip" ? button.hover() : button.click());
          await page.waitForTimeout(SETTLE_MS);
          await page.screenshot({ path: name(what.toLowerCase().replace(" ", "-")) });
        }
        await context.close();
      }
    }
  } finally {
    await vite.close();
  }
}
