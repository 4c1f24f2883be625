/** The parameters of the function whose body the code is. */
export const CODE_NAMES = ["input", "steps", "item", "index"] as const;

/** What the code's errors call it. */
export const CODE_FILE = "code";
const LINES_BEFORE = 1;

/** The expression of the asynchronous function that has the code as its body. */
export function functionText(code: string): string {
  return `(async function (${CODE_NAMES.join(", ")}) {\n${code}\n})`;
}

/** The line of the code, from 1, that the first place in an error's stack means; it may stand beyond the code's end. */
export function lineIn(stack: string, code: string): number | undefined {
  const found = /(?<![\w./])code:(\d+)/.exec(stack)?.[1];
  if (found === undefined) return undefined;
  return Math.min(Math.max(1, Number(found) - LINES_BEFORE), code.split("\n").length);
}
