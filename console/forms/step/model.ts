import { isRecord } from "../../data/json.ts";
import { labelOf, type Schema } from "../schema.ts";

/** The `x-weft` keyword of a schema. It tells what the rest of the schema does not say about showing a field. */
export interface Hints {
  widget?: string;
  /** Replaces the description in the form. */
  hint?: string;
  order?: number;
  group?: string;
  /** For an object: sets of members of which exactly one must be present. */
  exactlyOneOf?: string[][];
  /** The member of such a set that this one depends on. */
  belongsTo?: string;
}

export interface Member {
  name: string;
  label: string;
  schema: Schema;
  required: boolean;
  group: string | undefined;
}

const MAX_REFS = 10;

/** A copy of a schema without some keywords. */
export const without = (schema: Schema, keywords: readonly string[]): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));

/** Resolves a `$ref` to a part of the same document, and unwraps a union with one branch. */
export function resolved(schema: unknown, root: Schema): Schema {
  let at = isRecord(schema) ? schema : {};
  for (let n = 0; n < MAX_REFS && typeof at.$ref === "string"; n++) {
    const parts = at.$ref.split("/").slice(1);
    const target = parts.reduce<unknown>((here, part) => (isRecord(here) ? here[part] : undefined), root);
    at = { ...(isRecord(target) ? target : {}), ...without(at, ["$ref"]) };
  }
  return at;
}

/** A short text for a default value. */
export const defaultText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

export function hintsOf(schema: Schema): Hints {
  const hints = schema["x-weft"];
  return isRecord(hints) ? hints : {};
}

const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
export const titleOf = (schema: Schema, name: string): string => textOf(schema.title) ?? labelOf(name);
export const docsOf = (schema: Schema): string | undefined => textOf(hintsOf(schema).hint ?? schema.description);

/** The members of an object's schema, in the order of their hints. */
export function membersOf(schema: Schema, root: Schema): Member[] {
  const required = new Set(Array.isArray(schema.required) ? (schema.required as unknown[]) : []);
  const members = Object.entries(isRecord(schema.properties) ? schema.properties : {})
    .filter(([, part]) => part !== false)
    .map(([name, part]) => ({ name, schema: resolved(part, root) }));
  return members
    .map(({ name, schema: part }, n) => ({ name, part, order: hintsOf(part).order ?? n }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ name, part }) => ({
      name,
      label: titleOf(part, name),
      schema: part,
      required: required.has(name) && !("default" in part),
      group: hintsOf(part).group,
    }));
}

/** The types of a schema, including those of its union. Empty if any type is allowed. */
export function typesOf(schema: Schema): string[] {
  if ("const" in schema) return [schema.const === null ? "null" : typeof schema.const];
  if (Array.isArray(schema.enum)) return [...new Set(schema.enum.map(one => (one === null ? "null" : typeof one)))];
  return [schema.type].flat().filter(one => typeof one === "string");
}

export interface Variant {
  label: string;
  schema: Schema;
}

const TYPE_WORDS: Record<string, string> = {
  string: "Text",
  number: "Number",
  integer: "Number",
  boolean: "Yes or no",
  object: "Fields",
  array: "List",
};

function variantLabel(schema: Schema, n: number): string {
  const title = textOf(schema.title);
  if (title) return title;
  if ("const" in schema) return labelOf(String(schema.const));
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : [];
  if (required.length === 1) return labelOf(required[0]!);
  return TYPE_WORDS[typesOf(schema)[0] ?? ""] ?? String(n + 1);
}

const PRIMITIVES = new Set(["string", "number", "integer", "boolean", "null"]);

/**
 * The branches of a union, without null. Undefined if the schema is no union, or if one line of text can hold all its
 * values.
 */
export function variantsOf(schema: Schema, root: Schema): Variant[] | undefined {
  const listed = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(listed)) return undefined;
  const branches = listed.map(one => resolved(one, root)).filter(one => one.type !== "null");
  if (branches.length < 2) return undefined;
  const isLine = branches.every(
    one => !("const" in one) && typesOf(one).length > 0 && typesOf(one).every(t => PRIMITIVES.has(t)),
  );
  if (isLine && branches.some(one => typesOf(one).includes("string"))) return undefined;
  return branches.map((one, n) => ({ label: variantLabel(one, n), schema: one }));
}

/** Unwraps a union of one branch and null. */
export function unwrapped(schema: Schema, root: Schema): Schema {
  const listed = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(listed)) return schema;
  const branches = listed.map(one => resolved(one, root)).filter(one => one.type !== "null");
  if (branches.length !== 1) return schema;
  return { ...branches[0], ...without(schema, ["anyOf", "oneOf"]) };
}

const typeOfValue = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

/** Whether a value fits a schema roughly: its type, its constant, and its required members. */
export function looksLike(value: unknown, schema: Schema, root: Schema): boolean {
  if ("const" in schema) return schema.const === value;
  if (Array.isArray(schema.enum)) return schema.enum.includes(value);
  const types = typesOf(schema).map(one => (one === "integer" ? "number" : one));
  if (types.length > 0 && !types.includes(typeOfValue(value))) return false;
  if (!isRecord(value)) return true;
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const constants = Object.entries(properties).filter(([, part]) => "const" in resolved(part, root));
  if (constants.some(([name, part]) => value[name] !== resolved(part, root).const)) return false;
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : [];
  return required.every(
    name => Object.hasOwn(value, name) || (isRecord(properties[name]) && "default" in properties[name]),
  );
}

/** The member with a different constant in each branch of a union. */
export function discriminatorOf(variants: readonly Variant[], root: Schema): string | undefined {
  const [first, ...others] = variants.map(({ schema }) => (isRecord(schema.properties) ? schema.properties : {}));
  const isConstant = (part: unknown) => isRecord(part) && "const" in resolved(part, root);
  return Object.keys(first ?? {}).find(name => [first!, ...others].every(one => isConstant(one[name])));
}

/** An initial value for a field, so that there is something to edit. */
export function initialValueOf(schema: Schema, root: Schema): unknown {
  if ("default" in schema) return schema.default;
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const inner = unwrapped(schema, root);
  const [type] = typesOf(inner);
  if (type === "array") return [];
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return typeof inner.minimum === "number" ? inner.minimum : 1;
  if (type === "object" || isRecord(inner.properties)) {
    const needed = membersOf(inner, root).filter(({ required, schema: part }) => required || "const" in part);
    return Object.fromEntries(needed.map(({ name, schema: part }) => [name, initialValueOf(part, root)]));
  }
  return "";
}
