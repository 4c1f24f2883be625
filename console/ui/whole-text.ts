const isCut = (element: Element) =>
  element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).textOverflow === "ellipsis";

/** The texts in an element, or in its row, that their boxes cut off. The link of a row covers the other texts in it. */
function cutTexts(element: Element): string {
  const row = element.closest("[data-row], li, tr");
  const all = row ? [row, ...row.querySelectorAll("*")] : [element];
  return all
    .filter(isCut)
    .map(({ textContent }) => textContent.trim())
    .join("\n");
}

/** Elements whose tooltips come from here, and not from the page. */
const given = new WeakSet<Element>();

/** Gives an element that the pointer comes to a tooltip with the texts that do not fit. */
function show({ target, buttons }: PointerEvent): void {
  // A drag reads no layout.
  if (buttons !== 0 || !(target instanceof HTMLElement)) return;
  if (target.title !== "" && !given.has(target)) return;
  const text = cutTexts(target);
  if (text === target.title) return;
  target.title = text;
  if (text === "") target.removeAttribute("title");
  given.add(target);
}

/** Lets the pointer read texts that end in an ellipsis. Screen readers have the whole text already. */
export function showWholeTexts(): void {
  addEventListener("pointerover", show, { passive: true });
}
