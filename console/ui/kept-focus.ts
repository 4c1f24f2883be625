import { useLayoutEffect } from "react";

/** How long a list may take to change after a dialog has closed. */
const KEEP_MS = 3_000;
const AREA = "main, [role=dialog], [role=alertdialog]";
const WAY_IN = "a[href], summary, [tabindex='0'], :is(button, input, select, textarea):enabled:not([tabindex='-1'])";

let last: Element | undefined;

/** Remembers what has the focus. Menus do not count: they are gone when a dialog that they opened closes. */
export function followFocus(): void {
  const note = ({ target }: FocusEvent) => {
    if (target instanceof Element && !target.closest("[role=menu]")) last = target;
  };
  addEventListener("focusin", note, { passive: true, capture: true });
}

const wayInto = (element: Element | undefined): HTMLElement | undefined =>
  [...(element?.querySelectorAll<HTMLElement>(WAY_IN) ?? [])].find(one => one.checkVisibility());

/** Notes the place of an element in the page. Returns a function that finds what is there, or nearest to it, later. */
function noteThePlace(element: Element | undefined): () => HTMLElement | null | undefined {
  if (!element?.isConnected) return () => document.querySelector("main");
  const path: { one: Element; index: number }[] = [];
  for (let one: Element | null = element; one; one = one.parentElement) {
    path.push({ one, index: [...(one.parentElement?.children ?? [])].indexOf(one) });
  }
  return () => {
    const left = path.findIndex(({ one }) => one.isConnected);
    for (const [i, { one }] of path.entries()) {
      if (i < Math.max(left, 1) || !one.closest(AREA)) continue;
      const { length } = one.children;
      const found = wayInto(one.children[Math.min(path[i - 1]!.index, length - 1)]) ?? wayInto(one);
      if (found) return found;
      if (one instanceof HTMLElement && one.matches(AREA)) return one;
    }
    return undefined;
  };
}

/** Moves the focus to a place whenever the page loses it in the next seconds. */
function keepFocus(place: ReturnType<typeof noteThePlace>): void {
  const look = () => {
    if (document.activeElement === document.body) place()?.focus({ preventScroll: true });
  };
  // The dialog gives the focus back when it is removed, so this looks after it.
  const changes = new MutationObserver(() => void setTimeout(look));
  const end = () => changes.disconnect();
  changes.observe(document.body, { childList: true, subtree: true });
  addEventListener("pointerdown", end, { once: true, capture: true });
  setTimeout(end, KEEP_MS);
}

/**
 * Keeps the focus in its place after a dialog has closed. What opened the dialog may be gone by then: the button of an
 * empty list is, or the menu of a row. The focus then goes to what took the place.
 */
export function useKeptFocus(open: boolean): void {
  useLayoutEffect(() => {
    if (!open) return undefined;
    const place = noteThePlace(last);
    return () => keepFocus(place);
  }, [open]);
}
