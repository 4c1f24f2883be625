import { isRecord } from "../data/json.ts";

/** A JSON Schema (2020-12) of a workflow. It may be invalid. */
export type Schema = Readonly<Record<string, unknown>>;

interface Common {
  title?: string | undefined;
  description?: string | undefined;
  /** The initial value. */
  initial?: unknown;
  /** Whether an empty field means null. */
  nullable?: boolean | undefined;
}

export type TextInput = "text" | "multiline" | "email" | "url" | "date" | "datetime" | "password";
export type Choice = { value: string | number | boolean | null; label: string };
export type Property = { name: string; required: boolean; field: FieldModel };

/** A field of a form. Parts of a schema that have no control become a JSON field, so that every schema has a form. */
export type FieldModel = Common &
  (
    | { kind: "text"; input: TextInput; maxLength?: number | undefined }
    | { kind: "number"; integer: boolean; min?: number | undefined; max?: number | undefined }
    | { kind: "boolean" }
    | { kind: "choice"; options: Choice[] }
    /** Any number of the options, each once. */
    | { kind: "several"; options: Choice[] }
    | { kind: "object"; properties: Property[] }
    | { kind: "list"; item: FieldModel; max?: number | undefined }
    /** A file that is uploaded. `types` are media types, also as `image/*`. */
    | { kind: "file"; types?: string[] | undefined; maxBytes?: number | undefined }
    | { kind: "json" }
  );

/** Keywords that make fields depend on the value. Such parts are edited as JSON. */
const BEYOND = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "prefixItems", "patternProperties"];
/** Deeper parts are edited as JSON. Deep forms are hard to read, and a recursive schema has no end. */
const MAX_DEPTH = 5;
/** Text that may be longer than this gets several lines. */
const MAX_LINE = 200;

const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
const numberOf = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value : undefined);

const isPlain = (value: unknown): value is Choice["value"] =>
  value === null || ["string", "number", "boolean"].includes(typeof value);

const asChoice = (value: Choice["value"], label?: string): Choice => ({ value, label: label ?? String(value) });

/** The options of `enum`, `const`, or of `oneOf` with constants, each with its title. Undefined for other schemas. */
function optionsOf(schema: Schema): Choice[] | undefined {
  if (Array.isArray(schema.enum)) {
    return schema.enum.length > 0 && schema.enum.every(isPlain) ? schema.enum.map(one => asChoice(one)) : undefined;
  }
  if ("const" in schema) return isPlain(schema.const) ? [asChoice(schema.const, textOf(schema.title))] : undefined;
  const listed: unknown = schema.oneOf ?? schema.anyOf;
  if (!Array.isArray(listed) || listed.length === 0) return undefined;
  const options = listed.map((one: unknown) =>
    isRecord(one) && "const" in one && isPlain(one.const) ? asChoice(one.const, textOf(one.title)) : undefined,
  );
  return options.every(option => option !== undefined) ? options : undefined;
}

/** The type of a schema besides null. Undefined if several are possible. */
function typeOf({ type, properties, items }: Schema): { type: string | undefined; nullable: boolean } {
  const given: unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type];
  const others = given.filter(one => one !== "null");
  const nullable = others.length < given.length;
  if (others.length === 1) return { type: textOf(others[0]), nullable };
  if (given.length > 0) return { type: undefined, nullable };
  return { type: isRecord(properties) ? "object" : isRecord(items) ? "array" : undefined, nullable };
}

const FORMATS: Record<string, TextInput> = {
  email: "email",
  uri: "url",
  date: "date",
  "date-time": "datetime",
  password: "password",
};

function textInput(schema: Schema): TextInput {
  const format = FORMATS[textOf(schema.format) ?? ""];
  if (format) return format;
  const hints = isRecord(schema["x-weft"]) ? schema["x-weft"] : {};
  const long = Math.max(numberOf(schema.maxLength) ?? 0, numberOf(schema.minLength) ?? 0) > MAX_LINE;
  const broken = typeof schema.default === "string" && schema.default.includes("\n");
  return hints.widget === "text" || long || broken ? "multiline" : "text";
}

/** `"x-weft": {"widget": "hidden"}` hides a property from the form. Only programs set it. */
const isHidden = (part: unknown) =>
  isRecord(part) && isRecord(part["x-weft"]) && part["x-weft"].widget === "hidden" && part.default !== undefined;

function propertiesOf(schema: Schema, depth: number): Property[] {
  const required = new Set(Array.isArray(schema.required) ? (schema.required as unknown[]) : []);
  return Object.entries(schema.properties as Schema)
    .filter(([, part]) => part !== false && !isHidden(part))
    .map(([name, part]) => ({ name, required: required.has(name), field: fieldOf(part, depth + 1) }));
}

function listOf(schema: Schema, depth: number): FieldModel {
  const options = schema.uniqueItems === true && isRecord(schema.items) ? optionsOf(schema.items) : undefined;
  if (options) return { kind: "several", options };
  if (!isRecord(schema.items)) return { kind: "json" };
  return { kind: "list", item: fieldOf(schema.items, depth + 1), max: numberOf(schema.maxItems) };
}

/** `"x-weft": {"widget": "file", "types": […], "maxBytes": …}` asks for a file. */
function fileShape(schema: Schema): FieldModel | undefined {
  const hints = schema["x-weft"];
  if (!isRecord(hints) || hints.widget !== "file") return undefined;
  const types = Array.isArray(hints.types) ? hints.types.filter(type => typeof type === "string") : undefined;
  return { kind: "file", types, maxBytes: numberOf(hints.maxBytes) };
}

function shapeOf(schema: Schema, depth: number): FieldModel {
  const file = fileShape(schema);
  if (file) return file;
  const options = optionsOf(schema);
  if (options) return { kind: "choice", options };
  if (depth > MAX_DEPTH || BEYOND.some(keyword => keyword in schema)) return { kind: "json" };
  switch (typeOf(schema).type) {
    case "string":
      return { kind: "text", input: textInput(schema), maxLength: numberOf(schema.maxLength) };
    case "number":
    case "integer": {
      const [min, max] = [numberOf(schema.minimum), numberOf(schema.maximum)];
      return { kind: "number", integer: typeOf(schema).type === "integer", min, max };
    }
    case "boolean":
      return { kind: "boolean" };
    case "object": {
      const properties = isRecord(schema.properties) ? propertiesOf(schema, depth) : [];
      return properties.length > 0 ? { kind: "object", properties } : { kind: "json" };
    }
    case "array":
      return listOf(schema, depth);
    default:
      return { kind: "json" };
  }
}

/** The form field for a schema. */
export function fieldOf(schema: unknown, depth = 0): FieldModel {
  if (!isRecord(schema)) return { kind: "json" };
  const shape = shapeOf(schema, depth);
  return {
    ...shape,
    title: textOf(schema.title),
    description: textOf(schema.description),
    ...("default" in schema && { initial: schema.default }),
    ...(typeOf(schema).nullable && { nullable: true }),
  };
}

/** Words that labels write in capitals. */
const CAPITALS = new Set(["api", "ca", "tls", "uri", "url"]);

/** Converts a name to a label: `costCenter` and `cost_center` become "Cost center", `baseUrl` becomes "Base URL". */
export function labelOf(name: string): string {
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/[_-]+/g, " ")
    .trim();
  if (words === "") return name;
  const lower = words
    .split(/\s+/)
    .map(word => (/^\p{Lu}[\p{Lu}\d]+$/u.test(word) ? word : word.toLowerCase()))
    .map(word => (CAPITALS.has(word) ? word.toUpperCase() : word))
    .join(" ");
  return lower.charAt(0).toUpperCase() + lower.slice(1);
}
