import { isObject } from "../json.ts";

export type Scalar = string | number | boolean;
/**
 * The fields that entries are filtered by. They are flat: a key may contain dots ("metadata.lang"), and a value is
 * never an object.
 */
export type Payload = Readonly<Record<string, Scalar | readonly string[]>>;

export interface PayloadOperators {
  $in?: readonly Scalar[];
  $ne?: Scalar;
  $nin?: readonly Scalar[];
}

/**
 * Conditions by key, as a value or as operators. All must hold. A list satisfies a condition with any of its items. A
 * missing key satisfies only `$ne` and `$nin`.
 */
export type PayloadFilter = Readonly<Record<string, Scalar | PayloadOperators>>;

/** Values of one key. The entry must have one of them or, with `not`, none of them. */
export interface Clause {
  key: string;
  not: boolean;
  values: readonly Scalar[];
}

const MAX_KEYS = 64;
const MAX_KEY_CHARS = 128;
const MAX_VALUE_CHARS = 1024;
const MAX_VALUES = 1000;
const OPERATORS = new Set(["$in", "$ne", "$nin"]);

/** One text for each value of a key. Numbers, booleans and strings have distinct texts. */
export const tagOf = (key: string, value: Scalar): string => `${key}=${JSON.stringify(value)}`;

/** The tags of lists, which all passages of an entry share. Together such lists may have thousands of items. */
const knownTags = new WeakMap<object, { key: string; tags: readonly string[] }>();

/** The distinct tags of a list. */
export function tagsOfList(key: string, list: readonly string[]): readonly string[] {
  const known = knownTags.get(list);
  if (known?.key === key) return known.tags;
  const tags = [...new Set(list)].map(item => tagOf(key, item));
  knownTags.set(list, { key, tags });
  return tags;
}

/** The distinct tags of a payload. */
export const tagsOf = (payload: Payload): string[] =>
  Object.entries(payload).flatMap(([key, value]) =>
    typeof value === "object" ? tagsOfList(key, value) : [tagOf(key, value)],
  );

/** The fault of a payload, or null if it is valid. */
export function payloadFault(payload: unknown): string | null {
  if (!isObject(payload)) return "the payload is not an object";
  const entries = Object.entries(payload);
  if (entries.length > MAX_KEYS) return `the payload has more than ${MAX_KEYS} keys`;
  for (const [key, value] of entries) {
    if (!isKey(key)) return "a key of the payload is empty or too long";
    const fault = Array.isArray(value) ? listFault(value, item => typeof item === "string") : scalarFault(value);
    if (fault) return `${key}: ${fault}`;
  }
  return null;
}

/** The clauses of a filter, or its fault. */
export function clausesOf(filter: PayloadFilter): Clause[] | string {
  const entries = Object.entries(filter) as [string, unknown][];
  if (entries.length > MAX_KEYS) return `the filter has more than ${MAX_KEYS} keys`;
  const clauses: Clause[] = [];
  for (const [key, asked] of entries) {
    if (asked === undefined) continue;
    if (!isKey(key)) return "a key of the filter is empty or too long";
    const operators = isObject(asked) ? asked : { $in: [asked] };
    for (const [operator, operand] of Object.entries(operators)) {
      if (operand === undefined) continue;
      if (!OPERATORS.has(operator)) return `${key}: ${operator} is not an operator of a search`;
      const values: unknown = operator === "$ne" ? [operand] : operand;
      const fault = listFault(values, () => true);
      if (fault) return `${key}: ${fault}`;
      clauses.push({ key, not: operator !== "$in", values: values as Scalar[] });
    }
  }
  return clauses;
}

/** Whether a payload satisfies the clauses. */
export const matchesClauses = (payload: Payload, clauses: readonly Clause[]): boolean =>
  clauses.every(({ key, not, values }) => {
    const held = Object.hasOwn(payload, key) ? payload[key] : undefined;
    const items: readonly Scalar[] = held === undefined ? [] : typeof held === "object" ? held : [held];
    return items.some(item => values.includes(item)) !== not;
  });

const isKey = (key: string): boolean => key !== "" && key.length <= MAX_KEY_CHARS && key.isWellFormed();

function listFault(values: unknown, isItem: (item: unknown) => boolean): string | null {
  if (!Array.isArray(values)) return "no list of values";
  if (values.length > MAX_VALUES) return `more than ${MAX_VALUES} values`;
  for (const value of values) {
    const fault = isItem(value) ? scalarFault(value) : "a list holds strings alone";
    if (fault) return fault;
  }
  return null;
}

function scalarFault(value: unknown): string | null {
  if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return null;
  if (typeof value !== "string") return "a value is a string, a finite number or a boolean";
  return value.length > MAX_VALUE_CHARS || !value.isWellFormed() ? "a value is too long or no text" : null;
}
