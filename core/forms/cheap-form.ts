import { isObject } from "../json.ts";

/**
 * Larger forms or answers are checked in another thread. Together the bounds limit the work to some tens of
 * milliseconds.
 */
const MAX_FORM_CHARS = 8_192;
const MAX_DATA_CHARS = 4_096;
const MAX_LIST = 100;
const MAX_LEVEL = 20;

/** The types of JSON Schema. */
export const TYPES: ReadonlySet<string> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
  "null",
]);
/** Formats that can be checked in one pass over the text. */
const FORMATS = new Set(["date", "time", "date-time", "email", "uuid"]);

type Test = (value: unknown, level: number) => boolean;

const isText = (value: unknown): value is string => typeof value === "string";
const isNumber = (value: unknown) => typeof value === "number";
const isScalar = (value: unknown) => value === null || typeof value !== "object";
const isShortList = (test: (item: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.length <= MAX_LIST && value.every(test);
const anything = () => true;

const KEYWORDS = new Map<string, Test>([
  ...["title", "description", "$comment", "$schema"].map(name => [name, isText] as const),
  ...["default", "deprecated", "readOnly", "writeOnly", "x-weft"].map(name => [name, anything] as const),
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].map(name => [name, isNumber] as const),
  ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"].map(
    name => [name, isNumber] as const,
  ),
  ["type", value => (isText(value) ? TYPES.has(value) : isShortList(item => TYPES.has(item as string))(value))],
  ["format", value => isText(value) && FORMATS.has(value)],
  ["enum", isShortList(isScalar)],
  ["const", isScalar],
  ["required", isShortList(isText)],
  ["items", isCheap],
  ["additionalProperties", isCheap],
  ["properties", (value, level) => isObject(value) && Object.values(value).every(part => isCheap(part, level + 1))],
]);

function isCheap(schema: unknown, level: number): boolean {
  if (typeof schema === "boolean") return true;
  if (!isObject(schema) || level > MAX_LEVEL) return false;
  return Object.entries(schema).every(([name, value]) => KEYWORDS.get(name)?.(value, level + 1) ?? false);
}

/**
 * Whether a form only uses keywords that look at each value once and run no pattern. Such a form is also a valid
 * schema.
 */
export function isCheapForm(form: unknown): boolean {
  return isCheap(form, 0) && JSON.stringify(form).length <= MAX_FORM_CHARS;
}

/** Whether checking data of this size against a cheap form is fast enough for the event loop. */
export function isCheapAnswer(data: unknown): boolean {
  return JSON.stringify(data ?? null).length <= MAX_DATA_CHARS;
}
