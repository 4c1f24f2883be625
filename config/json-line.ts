import { inspect } from "node:util";

const MASKED = /secret|token|password|authorization|cookie|api_?key/i;

const mask = (key: string, value: unknown) => (typeof value === "string" && MASKED.test(key) ? "[masked]" : value);

const isFields = (value: unknown): value is Record<string, unknown> =>
  value !== null &&
  typeof value === "object" &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as null);

function plain(error: Error): Record<string, unknown> {
  const { name, message, stack } = error;
  const { code, type } = error as { code?: unknown; type?: unknown };
  return { name, message, code, type, stack };
}

/**
 * One log call as one line of JSON: `time`, `level`, `message`, where it comes from, the error, and the fields of the plain
 * objects that were logged. Values under names that speak of secrets are masked.
 */
export function jsonLine(level: string, args: unknown[], bindings: Record<string, unknown>): [string] {
  const words: string[] = [];
  const fields: Record<string, unknown> = {};
  for (const arg of args) {
    if (arg instanceof Error) {
      fields.error = plain(arg);
      if (words.length === 0) words.push(arg.message);
    } else if (isFields(arg)) Object.assign(fields, arg);
    else words.push(typeof arg === "string" ? arg : inspect(arg));
  }
  const fixed = { time: new Date().toISOString(), level, message: words.join(" "), ...bindings };
  try {
    return [JSON.stringify({ ...fixed, ...fields, ...fixed }, mask)];
  } catch {
    // A circle or a BigInt; it must not cost the line.
    return [JSON.stringify({ ...fixed, fields: inspect(fields, { depth: 2 }) })];
  }
}
