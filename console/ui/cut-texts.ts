const ROW = "[data-row], li, tr";

/** Whether the box of an element cuts its text off: at the end of a line, or after a number of lines. */
function isCut(element: Element): boolean {
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
  if (scrollWidth > clientWidth + 1) return getComputedStyle(element).textOverflow === "ellipsis";
  return scrollHeight > clientHeight + 1 && getComputedStyle(element).webkitLineClamp !== "none";
}

const covers = (element: Element, x: number, y: number) => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return x >= left && x <= right && y >= top && y <= bottom;
};

/** The cut text at a point of the window. The link of a row lies over the other texts of the row. */
export function cutAt(x: number, y: number): Element | undefined {
  const [top, ...below] = document.elementsFromPoint(x, y);
  // The browser shows a tooltip of the page itself.
  if (top === undefined || top.closest("[title]")) return undefined;
  const row = top.closest(ROW);
  // What lies elsewhere is behind a dialog.
  const near = [top, ...below.filter(one => one.contains(top) || row?.contains(one))];
  return near.find(one => covers(one, x, y) && isCut(one));
}

/** The element whose texts a user reads while an element has the focus: its row, if it is in one. */
export const readWith = (element: Element): Element => element.closest(ROW) ?? element;

/** The cut texts in an element, in the order of the page. */
export const cutIn = (element: Element): Element[] => [element, ...element.querySelectorAll("*")].filter(isCut);

/** The whole text of the elements that are still cut, one line each. Empty if no element is cut. */
export const wholeText = (elements: readonly Element[]): string =>
  elements
    .filter(element => element.isConnected && isCut(element))
    .map(({ textContent }) => textContent.trim())
    .join("\n");
