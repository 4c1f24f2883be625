import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";

const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

/** What axe finds on a page, as sentences: by all rules, or by those that are named. */
export async function barriers(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Colours that are still changing, as after a change of the theme, are no colours of the page.
  await page.evaluate(async () => {
    const { document, requestAnimationFrame } = globalThis as unknown as {
      requestAnimationFrame: (next: () => void) => void;
      document: {
        getAnimations: () => { finished: Promise<unknown>; effect: { getComputedTiming: () => { endTime: number } } }[];
      };
    };
    // What ends may begin others: a menu that has closed opens a dialog.
    for (let round = 0; round < 20; round++) {
      await new Promise<void>(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const ending = document
        .getAnimations()
        .filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime));
      if (ending.length === 0) return;
      await Promise.allSettled(ending.map(({ finished }) => finished));
    }
  });
  // Evaluated by the debugger, which the page's policy does not concern. It stays until another page is loaded.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(AXE);
  return page.evaluate(async runOnly => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<{ violations: { id: string; nodes: { target: unknown[] }[] }[] }> };
    };
    // Without this, it describes every element that passes, too.
    const resultTypes = ["violations"];
    const { violations } = await axe.run(runOnly ? { resultTypes, runOnly: [...runOnly] } : { resultTypes });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => String(target)).join(", ")}`);
  }, rules);
}

/**
 * Texts in the colour of the page, where the system chooses the colours: the browser gives each text a ground in that
 * colour, unless its element adjusts none.
 */
const UNSEEN = `(() => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = "Canvas";
  const ground = getComputedStyle(probe).color;
  probe.remove();
  const holdsText = one => [...one.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== "");
  return [...document.querySelectorAll("body *")]
    .filter(one => holdsText(one) && one.checkVisibility({ visibilityProperty: true }))
    .filter(one => {
      const { color, forcedColorAdjust } = getComputedStyle(one);
      return color === ground && forcedColorAdjust !== "none";
    })
    .map(one => one.textContent.trim().slice(0, 60));
})()`;

/**
 * What axe finds by all rules in the light theme, and for colours, which alone differ, in the dark theme without motion.
 * Also texts that are not seen in colours of the system. The page is in the light theme afterwards.
 */
export async function barriersInThemes(page: Page): Promise<string[]> {
  const found = (await barriers(page)).map(barrier => `light: ${barrier}`);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  const dark = (await barriers(page, ["color-contrast"])).map(barrier => `dark: ${barrier}`);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "no-preference", forcedColors: "active" });
  const unseen = (await page.evaluate<string[]>(UNSEEN)).map(text => `forced colours: ${text}`);
  await page.emulateMedia({ forcedColors: "none" });
  return [...found, ...dark, ...unseen];
}
