/** Fields that people fill in, without those that can only be read or that are hidden behind a drawn control. */
const INPUT = "input:not([type=hidden], [type=file], [readonly], [aria-hidden=true])";
const ROLES = ["textbox", "combobox", "checkbox", "switch"].map(role => `[role=${role}]`);
const FIELDS = [
  INPUT,
  "textarea:not([readonly])",
  "select:not([aria-hidden=true])",
  "[role=radio][tabindex='0']",
  ...ROLES,
];
const ENDS = "[data-ends] button:not([data-danger])";

const canBe = (one: HTMLElement): boolean => !one.matches(":disabled, [aria-disabled=true]") && one.checkVisibility();

/**
 * What has the focus when a dialog opens: its first field, so that typing can begin, or the first button at its end, which
 * is the one that changes nothing. The button that closes is the first in the page, but says nothing of what is asked.
 * After a touch it is the dialog itself, as the keyboard on the screen would cover half of it.
 */
export function firstFocus(dialog: HTMLElement | null, by: string): HTMLElement | null {
  if (by === "touch") return dialog;
  const first = (selector: string) => [...(dialog?.querySelectorAll<HTMLElement>(selector) ?? [])].find(canBe);
  return first(FIELDS.join()) ?? first(ENDS) ?? dialog;
}
