/** The parameters of the function that has the code as its body. */
export const CODE_NAMES = ["input", "steps", "item", "index"] as const;

/** The file name of the code in error stacks. */
export const CODE_FILE = "code";
const LINES_BEFORE = 1;

/** The expression of the asynchronous function that has the code as its body. */
export function functionText(code: string): string {
  return `(async function (${CODE_NAMES.join(", ")}) {\n${code}\n})`;
}

/** The line of the code, from 1, that the first place in an error's stack names. It may be past the end of the code. */
export function lineIn(stack: string, code: string): number | undefined {
  const found = /(?<![\w./])code:(\d+)/.exec(stack)?.[1];
  if (found === undefined) return undefined;
  return Math.min(Math.max(1, Number(found) - LINES_BEFORE), code.split("\n").length);
}
