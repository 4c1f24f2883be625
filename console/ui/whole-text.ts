import { cx } from "./cx.ts";
import { cutAt, cutIn, readWith, wholeText } from "./cut-texts.ts";
import styles from "./tooltip.module.css";

/** How long the pointer rests before the page is searched for a cut text. */
const REST_MS = 400;
/** Between a text and its tooltip, and between the tooltip and the edge of the window. */
const GAP = 6;
const EDGE = 8;
/** A tooltip is no place to read a document. */
const MOST = 1_000;
const MODIFIERS = new Set(["Alt", "Control", "Meta", "Shift"]);

interface Shown {
  tip: HTMLElement;
  /** What the tooltip says now. Empty if it has nothing more to say. */
  read: () => string;
  beside: Element;
  /** Whether the pointer opened it, so that it closes when the pointer leaves. */
  isPointed: boolean;
}

let shown: Shown | undefined;
let rest: ReturnType<typeof setTimeout> | undefined;

const changes = new MutationObserver(renew);

function hide(): void {
  clearTimeout(rest);
  changes.disconnect();
  shown?.tip.remove();
  shown = undefined;
}

function place({ tip, beside }: Shown): void {
  const { left, top, bottom } = beside.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const below = bottom + GAP;
  const isBelow = below + height + EDGE <= innerHeight;
  tip.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`;
  tip.style.top = `${isBelow ? below : Math.max(EDGE, top - height - GAP)}px`;
}

/** Follows the page, which may change the text, move it, or remove it. */
function renew(): void {
  if (!shown) return;
  const text = shown.read().slice(0, MOST);
  if (text === "") return hide();
  if (text !== shown.tip.textContent) shown.tip.textContent = text;
  place(shown);
}

function show(given: Omit<Shown, "tip">): void {
  if (given.read() === "") return;
  hide();
  const tip = document.createElement("div");
  tip.className = cx(styles.popup, styles.whole)!;
  // Screen readers have the whole text already.
  tip.ariaHidden = "true";
  tip.popover = "manual";
  document.body.append(tip);
  tip.showPopover();
  shown = { tip, ...given };
  renew();
  changes.observe(document.body, { childList: true, characterData: true, subtree: true });
}

/** Whether a point is on a text, on its tooltip, or between them. */
function isOver({ beside, tip }: Shown, { clientX: x, clientY: y }: PointerEvent): boolean {
  return [beside, tip].some(one => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return x >= left && x <= right && y >= top - GAP && y <= bottom + GAP;
  });
}

function onMove(event: PointerEvent): void {
  if (event.pointerType === "touch") return;
  if (shown?.isPointed) {
    if (isOver(shown, event)) return;
    hide();
  }
  clearTimeout(rest);
  // A drag reads no layout.
  if (event.buttons !== 0) return;
  const { clientX, clientY } = event;
  rest = setTimeout(() => {
    const beside = cutAt(clientX, clientY);
    if (beside) show({ read: () => wholeText([beside]), beside, isPointed: true });
  }, REST_MS);
}

function onFocus({ target }: FocusEvent): void {
  if (!(target instanceof HTMLElement) || !target.matches(":focus-visible:not(input, textarea)")) return;
  if (target.title !== "" && target.title !== target.innerText.trim()) {
    return show({ read: () => target.title, beside: target, isPointed: false });
  }
  const beside = readWith(target);
  const texts = cutIn(beside);
  show({ read: () => wholeText(texts), beside, isPointed: false });
}

/**
 * Shows texts whole that end in an ellipsis: the one that the pointer rests on, or those of the row that the keyboard
 * is in. A control that only the keyboard is on shows its title, which browsers show to the pointer alone.
 */
export function showWholeTexts(): void {
  const passive = { passive: true, capture: true };
  addEventListener("pointermove", onMove, passive);
  addEventListener("pointerdown", hide, passive);
  addEventListener("scroll", () => (shown && !shown.isPointed ? place(shown) : hide()), passive);
  addEventListener("keydown", ({ key }) => MODIFIERS.has(key) || hide(), passive);
  addEventListener("focusin", onFocus, passive);
  addEventListener("focusout", () => shown?.isPointed || hide(), passive);
  document.documentElement.addEventListener("pointerleave", hide, passive);
}
