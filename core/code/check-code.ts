import { Script } from "node:vm";
import { CODE_FILE, CODE_NAMES, functionText, lineIn } from "./function-text.ts";
import { MAX_CODE_LENGTH } from "./limits.ts";

const AsyncFunction = (async () => {}).constructor as new (...parametersAndBody: string[]) => unknown;

/**
 * The error whose stack begins with the place; undefined when the text is a valid script. Only errors of scripts report
 * the place.
 */
function scriptError(code: string): Error | undefined {
  try {
    new Script(functionText(code), { filename: CODE_FILE });
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/**
 * Describes a syntax error in a step's code as a sentence, with the line when it is known. Returns null when there is
 * none. The code is not run.
 */
export function checkCode(code: string): string | null {
  if (code.length > MAX_CODE_LENGTH) return `The code is longer than ${MAX_CODE_LENGTH / 1_024} KiB.`;
  try {
    // Unlike a script, the constructor refuses a body that closes the function and continues after it.
    new AsyncFunction(...CODE_NAMES, code);
    return null;
  } catch (error) {
    const { name, message } = error as Error;
    if (name === "RangeError") return "The code is nested too deeply.";
    const located = scriptError(code);
    if (!located) return "The code closes a bracket that it did not open.";
    const line = lineIn(located.stack ?? "", code);
    return `The code cannot be read: ${message}${line === undefined ? "" : ` (line ${line})`}.`;
  }
}
