import { type OutputUnit, Validator } from "@cfworker/json-schema";
import { isRecord } from "../data/json.ts";
import { formTexts } from "../messages/en-forms.ts";
import type { Schema } from "./schema.ts";
import { pointerPart, unreadableText, UPLOADING } from "./values.ts";

/** Faults by JSON Pointer. The pointer is empty for the whole value. */
export type Faults = ReadonlyMap<string, string>;

export const NO_FAULTS: Faults = new Map();

/** Keywords that only report a fault inside of them. That fault is listed separately. */
const OUTER = new Set(["properties", "items", "prefixItems", "additionalItems", "$ref", "allOf"]);

/** The value at a JSON Pointer that starts with `#`. */
function at(schema: unknown, pointer: string): unknown {
  let here = schema;
  for (const part of pointer.split("/").slice(1)) {
    const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    here = isRecord(here) || Array.isArray(here) ? (here as Record<string, unknown>)[name] : undefined;
  }
  return here;
}

const TYPES: Record<string, string> = {
  number: formTexts.fault.number,
  integer: formTexts.fault.integer,
  string: formTexts.fault.text,
};
const FORMATS: Record<string, string> = {
  email: formTexts.fault.email,
  uri: formTexts.fault.url,
  date: formTexts.fault.date,
};

function messageOf({ keyword, error }: OutputUnit, limit: unknown): string {
  const { fault } = formTexts;
  const number = Number(limit);
  switch (keyword) {
    case "type":
      return TYPES[String(limit)] ?? error;
    case "format":
      return FORMATS[String(limit)] ?? fault.format(String(limit));
    case "minLength":
      return number === 1 ? fault.needed : fault.minLength(number);
    case "maxLength":
      return fault.maxLength(number);
    case "minimum":
      return fault.minimum(number);
    case "maximum":
      return fault.maximum(number);
    case "exclusiveMinimum":
      return fault.above(number);
    case "exclusiveMaximum":
      return fault.below(number);
    case "multipleOf":
      return fault.multipleOf(number);
    case "minItems":
      return fault.minItems(number);
    case "maxItems":
      return fault.maxItems(number);
    case "enum":
    case "const":
      return fault.choice;
    case "uniqueItems":
      return fault.unique;
    case "pattern":
      return fault.pattern;
    default:
      return error;
  }
}

const REQUIRED = /required property "(.*)"\.$/s;

function unreadableIn(value: unknown, pointer: string, found: Map<string, string>): void {
  const text = unreadableText(value);
  // A number that cannot be read has no text. Its fault is the type.
  if (text !== undefined)
    return void (
      text !== "" && found.set(pointer, text === UPLOADING ? formTexts.file.uploading : formTexts.fault.unreadable)
    );
  if (Array.isArray(value)) value.forEach((one, n) => unreadableIn(one, pointer + pointerPart(n), found));
  else if (isRecord(value)) {
    for (const [name, one] of Object.entries(value)) unreadableIn(one, pointer + pointerPart(name), found);
  }
}

/**
 * Validates a value with the same library and draft as the service. An invalid schema gives no faults here, because the
 * service reports them.
 */
export function faultsOf(schema: Schema, value: unknown): Faults {
  const found = new Map<string, string>();
  unreadableIn(value, "", found);
  try {
    const { errors } = new Validator(schema, "2020-12", false).validate(value ?? null);
    for (const unit of errors) {
      if (OUTER.has(unit.keyword)) continue;
      const here = decodeURIComponent(unit.instanceLocation.slice(1));
      const missing = unit.keyword === "required" ? REQUIRED.exec(unit.error)?.[1] : undefined;
      const pointer = missing === undefined ? here : here + pointerPart(missing);
      // Only the first fault of a field is shown.
      if (found.has(pointer)) continue;
      const limit = at(schema, unit.keywordLocation);
      found.set(pointer, missing === undefined ? messageOf(unit, limit) : formTexts.fault.needed);
    }
  } catch {
    return found;
  }
  return found;
}

/** Converts faults of the service, whose pointers begin with the name of the request field. */
export function faultsOfService(errors: readonly { path: string; message: string }[], field: string): Faults {
  const own = errors.filter(({ path }) => path === field || path.startsWith(`${field}/`));
  return new Map(own.map(({ path, message }) => [path.slice(field.length), message]));
}
