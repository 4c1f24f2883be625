import { SandboxError } from "./sandbox-error.ts";
import { CODE_NAMES } from "./function-text.ts";
import { MAX_GLOBALS_LENGTH } from "./limits.ts";

/** What a `code` step can read. All values are plain JSON. */
export interface CodeGlobals {
  input: unknown;
  steps: Record<string, unknown>;
  item?: unknown;
  index?: number;
}

/** Ways to read a parameter without its name. */
const INDIRECT = /\\u|\barguments\b|\beval\b/;

/**
 * The text of a JSON object with the globals that the code can reach. Its length is at most the limit plus one output
 * of a step, however large the run is.
 * @throws {SandboxError} code_error when the globals are too large
 */
export function globalsText(code: string, globals: CodeGlobals): string {
  const parts: string[] = [];
  let left = MAX_GLOBALS_LENGTH;
  const json = (value: unknown): string => {
    const text = JSON.stringify(value) ?? "null";
    left -= text.length;
    if (left < 0) {
      const limit = `${MAX_GLOBALS_LENGTH / 1_024 / 1_024} MiB`;
      throw new SandboxError(
        "code_error",
        `The data passed to the code is larger than ${limit}. Use fewer or smaller steps.`,
      );
    }
    return text;
  };
  const members = (record: Record<string, unknown>) =>
    Object.entries(record).map(([key, value]) => `${json(key)}:${json(value)}`);

  const indirect = INDIRECT.test(code);
  for (const name of CODE_NAMES) {
    const value = globals[name];
    if (value === undefined || !(indirect || code.includes(name))) continue;
    parts.push(`"${name}":${name === "steps" ? `{${members(globals.steps).join(",")}}` : json(value)}`);
  }
  return `{${parts.join(",")}}`;
}
