/** Text with more digits than a JavaScript number may hold. */
const MANY_DIGITS = /\d[\d.]{15,}/;

const digitsOf = (text: string) =>
  text
    .replace(/[eE].*$/, "")
    .replace(/[-.]/g, "")
    .replace(/^0+/, "");

/** Whether a JavaScript number has all digits of its source. */
function isExact(value: number, source: string): boolean {
  const digits = digitsOf(source);
  if (digits.length <= 15) return true;
  if (digits.length > 100 || !Number.isFinite(value)) return false;
  return digitsOf(value.toPrecision(digits.length)) === digits;
}

/**
 * Reads JSON. Numbers that a JavaScript number cannot hold become texts, so that no digit is lost. Text that is not
 * JSON is returned unchanged.
 */
export function exactJson(text: string): unknown {
  try {
    if (!MANY_DIGITS.test(text)) return JSON.parse(text);
    const revive = (_key: string, value: unknown, { source = "" }: { source?: string } = {}) =>
      typeof value === "number" && !isExact(value, source) ? source : value;
    return JSON.parse(text, revive);
  } catch {
    return text;
  }
}

/** A whole number, or its text if a JavaScript number cannot hold it. */
export const exactInteger = (text: string): number | string =>
  Number.isSafeInteger(Number(text)) ? Number(text) : text;

/** A number in the server's notation. Infinite values and NaN stay text, because JSON has no such numbers. */
export const finite = (text: string): number | string => (Number.isFinite(Number(text)) ? Number(text) : text);
