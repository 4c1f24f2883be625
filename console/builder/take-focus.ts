/**
 * Puts the keyboard onto what has taken the place of something else on the page, where that had it: the browser gives it
 * to the page then, whose keys do nothing. `when` says that a person asked for the change.
 */
export function takeFocus(to: HTMLElement | null, when = true): void {
  const { activeElement, body } = document;
  if (when && (activeElement === null || activeElement === body)) to?.focus({ preventScroll: true });
}
