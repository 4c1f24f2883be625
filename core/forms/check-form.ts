import { Validator } from "@cfworker/json-schema";
import { didYouMean } from "../nearest.ts";
import { TYPES } from "./cheap-form.ts";
import { checkPattern } from "./check-pattern.ts";
import { isObject } from "../json.ts";

export interface FormFault {
  /** A JSON Pointer, such as `/data/items/0/amount`. */
  path: string;
  message: string;
}

/** The result of a check: the faults of the data, or the fault of the form itself. */
export type FormCheck = { faults: FormFault[]; broken?: undefined } | { faults?: undefined; broken: string };

const MAX_FAULTS = 50;
const MAX_REASON = 300;
const SAMPLES = [null, false, 0, "", [], {}];

type Schema = ConstructorParameters<typeof Validator>[0];

const NUMBERS =
  "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems minProperties " +
  "maxProperties minContains maxContains";
const SCHEMAS =
  "items contains additionalProperties unevaluatedProperties unevaluatedItems propertyNames not if then else";
const names = (text: string) => text.split(" ");

const isTexts = (value: unknown) => Array.isArray(value) && value.every(item => typeof item === "string");

function need(holds: boolean, keyword: string, what: string): void {
  if (!holds) throw new TypeError(`\`${keyword}\` must be ${what}.`);
}

const each = (list: unknown, read: (item: unknown) => void) => {
  if (Array.isArray(list)) for (const item of list) read(item);
};

/** Checks that the types exist. No value would fit another type. An expression may give the type when it runs. */
function checkTypes(given: string | readonly string[]): void {
  const unknown = [given].flat().find(type => !TYPES.has(type) && !type.includes("{{"));
  if (unknown !== undefined)
    throw new TypeError(
      `Unknown type \`${unknown}\`.${didYouMean(unknown, TYPES)} Known types: ${[...TYPES].join(", ")}.`,
    );
}

/**
 * What each keyword accepts. The interpreter relies on this, and would otherwise fail when it checks a user's answer.
 */
const READERS = new Map<string, (value: unknown, keyword: string, strict: boolean) => void>([
  ...names(NUMBERS).map(name => [name, (value: unknown) => need(typeof value === "number", name, "a number")] as const),
  ...names(SCHEMAS).map(name => [name, readSchema] as const),
  ...["allOf", "anyOf", "oneOf", "prefixItems"].map(
    name =>
      [
        name,
        (value: unknown, _: string, strict: boolean) => {
          need(Array.isArray(value), name, "a list of schemas");
          each(value, item => readSchema(item, name, strict));
        },
      ] as const,
  ),
  ...["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"].map(
    name =>
      [
        name,
        (value: unknown, _: string, strict: boolean) => {
          need(isObject(value), name, "an object of schemas");
          for (const [key, part] of Object.entries(value as object)) {
            if (name === "patternProperties") checkPattern(key);
            readSchema(part, name, strict);
          }
        },
      ] as const,
  ),
  [
    "type",
    (value, _, strict) => {
      need(typeof value === "string" || isTexts(value), "type", "a name or a list of names");
      if (strict) checkTypes(value as string | string[]);
    },
  ],
  ["required", value => need(isTexts(value), "required", "a list of names")],
  ["enum", value => need(Array.isArray(value), "enum", "a list")],
  ["uniqueItems", value => need(typeof value === "boolean", "uniqueItems", "true or false")],
  ["$ref", value => need(typeof value === "string", "$ref", "text")],
  [
    "dependentRequired",
    value => need(isObject(value) && Object.values(value).every(isTexts), "dependentRequired", "lists of names"),
  ],
  [
    "pattern",
    value => {
      need(typeof value === "string", "pattern", "text");
      checkPattern(value as string);
    },
  ],
]);

function readSchema(schema: unknown, _: string, strict: boolean): void {
  if (typeof schema === "boolean") return;
  need(isObject(schema), "schema", "an object, true or false");
  for (const [name, value] of Object.entries(schema as object)) READERS.get(name)?.(value, name, strict);
}

function broken(error: unknown): { broken: string } {
  if (error instanceof RangeError) return { broken: "The schema refers to itself endlessly, or is nested too deeply." };
  const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : "";
  return { broken: reason.slice(0, MAX_REASON) };
}

/**
 * The first keyword of a form that cannot be read, or undefined. A strict check also reports types that do not exist:
 * stored forms may have some. The time depends only on the size of the form.
 */
export function formFault(form: unknown, { strict = false } = {}): string | undefined {
  try {
    readSchema(form, "schema", strict);
    return undefined;
  } catch (error) {
    return broken(error).broken;
  }
}

/**
 * Checks data against a form, a JSON Schema (draft 2020-12), and reports at most 50 faults. The schema is interpreted,
 * so that user input never becomes code. Never throws, but takes as long as the form's patterns do.
 */
export function checkForm(form: unknown, data: unknown): FormCheck {
  try {
    const { errors, valid } = new Validator(form as Schema, "2020-12", false).validate(data ?? null);
    if (valid) return { faults: [] };
    const faults = errors.slice(0, MAX_FAULTS).map(error => ({
      path: `/data${error.instanceLocation.slice(1)}`.slice(0, MAX_REASON),
      message: error.error.slice(0, MAX_REASON),
    }));
    return { faults };
  } catch (error) {
    return broken(error);
  }
}

/** Whether a form is a usable schema: checks its keywords, its patterns, and a sample of each type of data. */
export function proveForm(form: unknown): FormCheck {
  const fault = formFault(form);
  if (fault !== undefined) return { broken: fault };
  for (const sample of SAMPLES) {
    const check = checkForm(form, sample);
    if (check.broken !== undefined) return check;
  }
  return { faults: [] };
}
