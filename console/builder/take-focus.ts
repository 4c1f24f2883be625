import type { Scene } from "./scene.ts";

/**
 * Moves the focus to an element that replaced the focused one. Otherwise the browser moves the focus to the page, where
 * keys do nothing. `when` says whether the user caused the change.
 */
export function takeFocus(to: HTMLElement | null, when = true): void {
  const { activeElement, body } = document;
  if (when && (activeElement === null || activeElement === body)) to?.focus({ preventScroll: true });
}

/** Puts the keyboard onto the canvas or the outline, where what had it is gone once the page is drawn. */
export const refocus = (scene: Scene): void =>
  void setTimeout(() => document.activeElement === document.body && scene.focus());
