import { lineIn } from "../../core/code/function-text.ts";
import { MEMORY_MIB } from "../../core/code/limits.ts";
import type { SandboxErrorCode } from "../../core/code/sandbox-error.ts";
import { MAX_JSON_DEPTH } from "../../core/expressions/limits.ts";
import type { Outcome } from "./messages.ts";
import type { Thrown } from "./prelude.ts";

const MAX_SAID = 1_000;

export const tookLonger = (ms: number) => `The code took longer than ${ms} ms: look for an endless loop.`;

function failed(code: SandboxErrorCode, message: string, line?: number): Outcome {
  return { error: { code, message, ...(line !== undefined && { line }) } };
}

export const timedOut = (ms: number) => failed("code_timeout", tookLonger(ms));
export const MEMORY = failed("code_memory", `The code used more than ${MEMORY_MIB} MiB of memory.`);
export const TOO_LARGE = failed("output_too_large", "The output is larger than 256 KiB.");
export const TOO_DEEP = failed("code_error", `The output is nested more than ${MAX_JSON_DEPTH} levels deep.`);
export const RECURSION = failed("code_error", "The code calls itself, or nests its data, too deeply.");
export const NEVER_SETTLES = failed(
  "code_error",
  "The code waits for a promise that never settles: there is nothing outside that could settle it.",
);

/** Describes a thrown value, as the sandbox reports it, to the author of the code. */
export function failureOf({ name, message, stack = "" }: Thrown, code: string): Outcome {
  const said = message.slice(0, MAX_SAID).toWellFormed();
  if (name === undefined) return failed("code_error", said);
  if (name === "InternalError" && message === "out of memory") return MEMORY;
  if (message === "stack overflow") return RECURSION;
  const line = lineIn(stack, code);
  const place = line === undefined ? "" : ` (line ${line})`;
  return failed("code_error", `${name.slice(0, 100).toWellFormed()}: ${said}${place}`, line);
}

/** Whether JSON is nested deeper than data may be. */
export function isTooDeep(value: unknown, level = 0): boolean {
  if (typeof value !== "object" || value === null) return false;
  return level >= MAX_JSON_DEPTH || Object.values(value).some(part => isTooDeep(part, level + 1));
}
