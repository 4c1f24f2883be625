/** Digits that a number of JavaScript may not hold. */
const MANY_DIGITS = /\d[\d.]{15,}/;

const digitsOf = (text: string) =>
  text
    .replace(/[eE].*$/, "")
    .replace(/[-.]/g, "")
    .replace(/^0+/, "");

/** Whether a number, as it is written, has the digits that were read. */
function isExact(value: number, source: string): boolean {
  const digits = digitsOf(source);
  if (digits.length <= 15) return true;
  if (digits.length > 100 || !Number.isFinite(value)) return false;
  return digitsOf(value.toPrecision(digits.length)) === digits;
}

/**
 * Reads JSON. Numbers that a number of JavaScript cannot hold become texts, so that no digit is lost. What is not JSON
 * stays as it is.
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

/** A whole number, or its text where a number of JavaScript cannot hold it. */
export const exactInteger = (text: string): number | string =>
  Number.isSafeInteger(Number(text)) ? Number(text) : text;

/** A number with a fraction as it is written by the server. What is not finite stays a text, since JSON has no such number. */
export const finite = (text: string): number | string => (Number.isFinite(Number(text)) ? Number(text) : text);
