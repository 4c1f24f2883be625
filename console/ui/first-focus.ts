/** Fields that users fill in. Read-only fields, and fields hidden behind a drawn control, do not count. */
const INPUT = "input:not([type=hidden], [type=file], [readonly], [aria-hidden=true])";
const ROLES = ["textbox", "combobox", "checkbox", "switch"].map(role => `[role=${role}]:not([aria-readonly=true])`);
const FIELDS = [
  INPUT,
  "textarea:not([readonly])",
  "select:not([aria-hidden=true])",
  "[role=radio][tabindex='0']",
  ...ROLES,
];
/** What users fill in first, if other controls precede it. */
const BEGINS = "[data-begins]";
const ENDS = "[data-ends] button:not([data-danger])";

const canBe = (one: HTMLElement): boolean => !one.matches(":disabled, [aria-disabled=true]") && one.checkVisibility();

/**
 * Chooses what gets the focus when a dialog opens: its first field, or else the first button at its end, which is the
 * one that changes nothing. The close button comes first in the document, but does not relate to the content. On a
 * touchscreen it is the dialog itself, because an on-screen keyboard would cover half of it.
 */
export function firstFocus(dialog: HTMLElement | null): HTMLElement | null {
  if (matchMedia("(pointer: coarse)").matches) return dialog;
  const first = (selector: string, within: Element | null = dialog) =>
    [...(within?.querySelectorAll<HTMLElement>(selector) ?? [])].find(canBe);
  const fields = FIELDS.join();
  return first(fields, dialog?.querySelector(BEGINS)) ?? first(fields) ?? first(ENDS) ?? dialog;
}

/** Chooses the focus again when the content of a dialog arrives late. A control that has the focus by then keeps it. */
export function focusLate(content: Element | null): void {
  const dialog = content?.closest<HTMLElement>("[role=dialog]") ?? null;
  const { activeElement } = document;
  if (activeElement === dialog || activeElement === document.body) firstFocus(dialog)?.focus();
}
