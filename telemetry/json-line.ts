import { inspect } from "node:util";
import { counter } from "./instruments.ts";
import { currentScope } from "./scope.ts";
import { tracing } from "./tracing.ts";

const MASKED = /secret|token|password|authorization|cookie|api_?key/i;
/** Secrets in any text: passwords in addresses, credentials, this service's own keys, and tokens (JWT). */
const SECRETS =
  /(?<=:\/\/)[^\s/@"]+(?=@)|(?<=\b(?:bearer|basic) {1,9})[\w.~+/=-]{8,}|\bwf[a-z]_[\w-]+|\beyJ[\w-]+\.[\w-]+\.[\w-]+/gi;
const COUNTED = new Set(["warn", "error", "fatal"]);

/** The most characters of logged text. An author of long text can neither fill a disk nor block the process. */
const MAX_CHARS = 8_000;

const lines = counter("weft_log_lines_total");
// These series exist before the first line is logged, because Prometheus sees no increase when a series appears.
for (const level of COUNTED) lines(level);

function mask(key: string, value: unknown): unknown {
  if (MASKED.test(key) && (typeof value === "string" || (typeof value === "object" && value !== null)))
    return "[masked]";
  return typeof value === "string" && value.length > MAX_CHARS ? `${value.slice(0, MAX_CHARS)}…` : value;
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  value !== null &&
  typeof value === "object" &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as null);

/** An API error has its code in `type`. Its `code` is only the status. */
function plain(error: Error): Record<string, unknown> {
  const { name, message, stack } = error;
  const { code, type } = error as { code?: unknown; type?: unknown };
  return { name, message, code: type ?? code, stack };
}

/** The ids of the scope in which the line is logged. */
function scopeFields(): Record<string, unknown> {
  const { trace, ...ids } = currentScope() ?? {};
  return { ...ids, ...(trace && { traceId: tracing()?.idOf(trace) }) };
}

/**
 * Formats one log call as one line of JSON: `time`, `level`, `message`, the `service` and `node` of its origin, its
 * scope (`requestId`, `workspaceId`, `executionId`, the `action` on this node, `traceId`), the error, and the fields of
 * logged plain objects. Values under secret names are masked, and so is text that looks like a credential.
 */
export function jsonLine(level: string, args: unknown[], bindings: Record<string, unknown>): [string] {
  if (COUNTED.has(level)) lines(level).add();
  const words: string[] = [];
  const fields: Record<string, unknown> = {};
  for (const arg of args) {
    if (arg instanceof Error) {
      fields.error = plain(arg);
      if (words.length === 0) words.push(arg.message);
    } else if (isFields(arg)) Object.assign(fields, arg);
    else words.push(typeof arg === "string" ? arg : inspect(arg));
  }
  const { nodeID: node, svc, mod } = bindings;
  const fixed = { time: new Date().toISOString(), level, message: words.join(" "), service: svc ?? mod, node };
  const whole = (rest: Record<string, unknown>) => JSON.stringify({ ...fixed, ...rest, ...fixed }, mask);
  let line: string;
  try {
    line = whole({ ...scopeFields(), ...fields });
  } catch {
    // A circular reference or a BigInt must not lose the line.
    line = whole({ ...scopeFields(), fields: inspect(fields, { depth: 2 }) });
  }
  return [line.replace(SECRETS, "[masked]")];
}
