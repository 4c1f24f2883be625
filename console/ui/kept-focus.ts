import { useCallback, useLayoutEffect, useRef } from "react";

/** How long a list may take to change after a dialog has closed. */
const KEEP_MS = 3_000;
const DIALOG = "[role=dialog], [role=alertdialog]";
const AREA = `main, ${DIALOG}`;
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

/** Notes an element and its place in the page. Returns a function that finds it, or what has taken its place. */
function noteThePlace(element: Element | undefined): () => HTMLElement | null {
  const places: { parent: Element; index: number }[] = [];
  for (let one = element; one?.parentElement; one = one.parentElement) {
    places.push({ parent: one.parentElement, index: [...one.parentElement.children].indexOf(one) });
  }
  return () => {
    if (element instanceof HTMLElement && element.isConnected && element !== document.body) return element;
    const left = places.find(({ parent }) => parent.isConnected && parent.closest(AREA));
    if (!left) return document.querySelector("main");
    const { children } = left.parent;
    const there = wayInto(children[Math.min(left.index, children.length - 1)]);
    return there ?? wayInto(left.parent) ?? left.parent.closest<HTMLElement>(AREA);
  };
}

/** Moves the focus to a place whenever the page loses it in the next seconds. */
function keepFocus(place: () => HTMLElement | null): void {
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
 * empty list is, or the menu of a row. The focus then goes to what took the place. Returns what the dialog gives the
 * focus to when it closes; false if the focus is elsewhere already.
 */
export function useKeptFocus(open: boolean): () => HTMLElement | null | false {
  const place = useRef<() => HTMLElement | null>(null);
  useLayoutEffect(() => {
    if (!open) return undefined;
    const noted = noteThePlace(last);
    place.current = noted;
    return () => keepFocus(noted);
  }, [open]);
  return useCallback(() => {
    const now = document.activeElement;
    return now === document.body || now?.closest(DIALOG) ? (place.current?.() ?? null) : false;
  }, []);
}
