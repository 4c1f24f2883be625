/** A part of a sheet. Numbers are from 0 and include both ends. */
export interface Part {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** `A` is 0, `Z` 25, `AA` 26. */
const columnOf = (letters: string): number =>
  [...letters].reduce((sum, one) => sum * 26 + one.charCodeAt(0) - 64, 0) - 1;

/**
 * The part that a range names, such as `B2:D100` or `A:C`; the whole sheet without a range. The schema of the step has
 * checked the form.
 */
export function partOf(range: string | undefined): Part {
  const [, from = "", first = "", to = "", last = ""] = /^([A-Z]+)(\d*):([A-Z]+)(\d*)$/i.exec(range ?? "") ?? [];
  if (from === "") return { top: 0, bottom: Infinity, left: 0, right: Infinity };
  const [a, b] = [columnOf(from.toUpperCase()), columnOf(to.toUpperCase())];
  const [top, bottom] = [first === "" ? 0 : Number(first) - 1, last === "" ? Infinity : Number(last) - 1];
  return { top: Math.min(top, bottom), bottom: Math.max(top, bottom), left: Math.min(a, b), right: Math.max(a, b) };
}
