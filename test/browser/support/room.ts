import type { Page } from "playwright-core";

/** As WCAG 2.2 asks for (1.4.10): so narrow is a page of 1,280 pixels that is zoomed to 400 %. */
const NARROW = { width: 320, height: 640 };

/** The elements that reach beyond the right side of the page, where the page can be scrolled to them. */
const BEYOND = `(async () => {
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const isCut = one => one !== document.body && (getComputedStyle(one).overflowX !== "visible" || isCut(one.parentElement));
  const ends = [...document.querySelectorAll("body *")].filter(
    one => one.checkVisibility() && one.getBoundingClientRect().right > clientWidth + 1 && !isCut(one.parentElement),
  );
  const name = one => one.tagName.toLowerCase() + "." + one.className + " " + one.textContent.trim().slice(0, 30);
  return [scrollWidth + " px of " + clientWidth, ...ends.slice(0, 3).map(name)];
})()`;

/**
 * What needs scrolling to the side on a page: where the window is 320 pixels wide, and where texts have twice their size.
 * @returns sentences, none where everything has room
 */
export async function tooWide(page: Page, path: string): Promise<string[]> {
  const size = page.viewportSize() ?? { width: 1440, height: 900 };
  await page.setViewportSize(NARROW);
  const narrow = await page.evaluate<string[]>(BEYOND);
  await page.setViewportSize(size);
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  const large = await page.evaluate<string[]>(BEYOND);
  await page.evaluate("document.documentElement.style.fontSize = ''");
  return [
    ...(narrow.length > 0 ? [`${path}, 320 pixels wide: ${narrow.join("; ")}`] : []),
    ...(large.length > 0 ? [`${path}, texts twice as large: ${large.join("; ")}`] : []),
  ];
}
