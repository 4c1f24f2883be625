/** Means "only JSONata can decide". Errors, sequences and deep comparisons are left to JSONata. */
export const UNDECIDED = Symbol("undecided");

type Binary = (left: unknown, right: unknown) => unknown;

/** Longer strings are joined in a separate process, whose memory is bounded. */
const MAX_JOINED = 1024 * 1024;

/** JSONata treats any object with one of these marks as a function, and reads none of its fields. */
export const looksLikeFunction = (value: object) =>
  (value as { _jsonata_function?: unknown })._jsonata_function === true ||
  (value as { _jsonata_lambda?: unknown })._jsonata_lambda === true;

/** JSONata's effective boolean value. */
export function truth(value: unknown): boolean | typeof UNDECIDED {
  if (typeof value === "number") return Number.isFinite(value) ? value !== 0 : UNDECIDED;
  if (typeof value === "string") return value.length > 0;
  if (typeof value !== "object" || value === null) return value === true;
  if (Array.isArray(value)) return UNDECIDED;
  return !looksLikeFunction(value) && Object.keys(value).length > 0;
}

const numeric =
  (compute: (left: number, right: number) => number): Binary =>
  (left, right) => {
    if (left !== undefined && !Number.isFinite(left)) return UNDECIDED;
    if (right !== undefined && !Number.isFinite(right)) return UNDECIDED;
    if (left === undefined || right === undefined) return undefined;
    const result = compute(left as number, right as number);
    return Number.isFinite(result) ? result : UNDECIDED;
  };

const comparison =
  (ofNumbers: (left: number, right: number) => boolean, ofStrings: (left: string, right: string) => boolean): Binary =>
  (left, right) => {
    if (typeof left === "number" && typeof right === "number") return ofNumbers(left, right);
    if (typeof left === "string" && typeof right === "string") return ofStrings(left, right);
    const comparable = (value: unknown) =>
      value === undefined || typeof value === "number" || typeof value === "string";
    if (!comparable(left) || !comparable(right)) return UNDECIDED;
    return left === undefined || right === undefined ? undefined : UNDECIDED;
  };

const isContainer = (value: unknown) => typeof value === "object" && value !== null;

const equality =
  (wanted: boolean): Binary =>
  (left, right) => {
    if (left === undefined || right === undefined) return false;
    if (isContainer(left) && isContainer(right)) return UNDECIDED;
    return (left === right) === wanted;
  };

/** Text as `&` joins it: numbers have at most 15 significant digits. */
function joinable(value: unknown): string | typeof UNDECIDED {
  if (typeof value === "string") return value;
  if (value === undefined) return "";
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value !== "number" || !Number.isFinite(value)) return UNDECIDED;
  return JSON.stringify(Number.isInteger(value) ? value : Number(value.toPrecision(15)));
}

const join: Binary = (left, right) => {
  const a = joinable(left);
  const b = joinable(right);
  if (a === UNDECIDED || b === UNDECIDED || a.length + b.length > MAX_JOINED) return UNDECIDED;
  return a + b;
};

export const BINARY: ReadonlyMap<unknown, Binary> = new Map<unknown, Binary>([
  ["+", numeric((a, b) => a + b)],
  ["-", numeric((a, b) => a - b)],
  ["*", numeric((a, b) => a * b)],
  ["/", numeric((a, b) => a / b)],
  ["%", numeric((a, b) => a % b)],
  ["=", equality(true)],
  ["!=", equality(false)],
  [
    "<",
    comparison(
      (a, b) => a < b,
      (a, b) => a < b,
    ),
  ],
  [
    "<=",
    comparison(
      (a, b) => a <= b,
      (a, b) => a <= b,
    ),
  ],
  [
    ">",
    comparison(
      (a, b) => a > b,
      (a, b) => a > b,
    ),
  ],
  [
    ">=",
    comparison(
      (a, b) => a >= b,
      (a, b) => a >= b,
    ),
  ],
  ["&", join],
]);
