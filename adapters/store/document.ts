import { types } from "node:util";
import { InvalidDocumentError } from "./errors.ts";
import { isField, type Branch, type Field } from "./fields.ts";
import { isPlain } from "./filter.ts";
import type { Layout } from "./layout.ts";

/** Below MongoDB's 16 MiB, with room for the overhead of BSON. */
export const MAX_DOCUMENT_BYTES = 15 * 1024 * 1024;

/**
 * A document that both drivers can store. `fields` holds everything except the free-form JSON, which is text in `json`.
 */
export interface CheckedDocument {
  readonly fields: Record<string, unknown>;
  readonly json: Readonly<Record<string, string>>;
}

/**
 * Applies defaults and validates a document. `undefined` counts as missing.
 * @throws {InvalidDocumentError} when a field is unknown, missing or has a wrong type.
 */
export function checkDocument(layout: Layout, document: unknown): CheckedDocument {
  if (!isPlain(document)) throw new InvalidDocumentError(`${layout.name}: a document is an object`);
  const json: Record<string, string> = {};
  const fields = checkBranch(layout, layout.root, document, json);
  applyDefaults(layout, fields, json);
  for (const field of layout.required)
    if (valueAt(fields, field) === undefined && !(field.path in json)) throw wrong(layout, field, "is required");
  checkSize(layout, fields, json);
  return { fields, json };
}

/** Validates a nested object, or the document itself. Free-form fields are put into `json`. */
export function checkBranch(
  layout: Layout,
  branch: Branch,
  value: unknown,
  json: Record<string, string> = {},
): Record<string, unknown> {
  if (!isPlain(value)) throw new InvalidDocumentError(`${layout.name}: ${branch.path} is not an object`);
  const out: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const child = value[key];
    if (child === undefined) continue;
    const node = branch.children.get(key);
    if (!node)
      throw new InvalidDocumentError(`${layout.name}: unknown field ${branch.path && `${branch.path}.`}${key}`);
    if (!isField(node)) out[key] = checkBranch(layout, node, child);
    else if (node.kind === "json") json[key] = jsonText(layout, node, child);
    else out[key] = checkValue(layout, node, child);
  }
  return out;
}

/** Validates the value of a field that is not free-form JSON. */
export function checkValue(layout: Layout, field: Field, value: unknown): unknown {
  if (value === null) {
    if (field.neverNull || field.kind === "strings") throw wrong(layout, field, "is null");
    return null;
  }
  switch (field.kind) {
    case "string":
      if (typeof value !== "string") break;
      if (field.values && !field.values.includes(value))
        throw wrong(layout, field, `is not one of ${field.values.join(", ")}`);
      if (field.path === "id" && value === "") throw wrong(layout, field, "is empty");
      return value.toWellFormed();
    case "number":
      // Replaces -0 by 0, because JSON loses the sign of a zero in both drivers.
      if (typeof value === "number" && Number.isFinite(value)) return value + 0;
      break;
    case "boolean":
      if (typeof value === "boolean") return value;
      break;
    case "date":
      if (types.isDate(value) && Number.isFinite(value.getTime())) return new Date(value.getTime());
      break;
    case "strings":
      if (Array.isArray(value) && value.every(item => typeof item === "string"))
        return value.map(item => item.toWellFormed());
      break;
    case "json":
  }
  throw wrong(layout, field, `is not of its type (${field.kind})`);
}

/** The text of a free-form value. */
export function jsonText(layout: Layout, field: Field, value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    throw wrong(layout, field, "is nested too deeply or is not JSON");
  }
  if (text === undefined) throw wrong(layout, field, "is not JSON");
  return text;
}

/** The value of a field in a document. */
export function valueAt(document: Record<string, unknown>, { keys }: Field): unknown {
  let value: unknown = document[keys[0] as string];
  for (let depth = 1; depth < keys.length; depth++) {
    if (value === undefined || value === null) return undefined;
    value = (value as Record<string, unknown>)[keys[depth] as string];
  }
  return value;
}

export function checkRequired(layout: Layout, branch: Branch, fields: Record<string, unknown>): void {
  for (const [key, node] of branch.children) {
    if (!isField(node)) checkRequired(layout, node, isPlain(fields[key]) ? fields[key] : {});
    else if (node.required && fields[key] === undefined) throw wrong(layout, node, "is required");
  }
}

/**
 * Checks the total size of these values.
 * @throws {InvalidDocumentError} when they are larger than a document may be.
 */
export function checkSize(layout: Layout, fields: object, json: Record<string, string>): void {
  let bytes = 0;
  const add = (value: unknown): void => {
    // A character takes up to three bytes, so only long texts are counted exactly.
    if (typeof value === "string") bytes += value.length < 65_536 ? value.length * 3 : Buffer.byteLength(value);
    else if (Array.isArray(value)) {
      // BSON stores the index of each item as its name.
      bytes += value.length * 16;
      value.forEach(add);
    } else if (isPlain(value)) Object.values(value).forEach(add);
  };
  for (const value of Object.values(fields)) add(value);
  for (const key in json) add(json[key]);
  if (bytes > MAX_DOCUMENT_BYTES) throw new InvalidDocumentError(`${layout.name}: the document is larger than 15 MiB`);
}

function applyDefaults(layout: Layout, fields: Record<string, unknown>, json: Record<string, string>): void {
  for (const field of layout.defaults) {
    if (field.kind === "json") {
      if (!(field.path in json)) json[field.path] = jsonText(layout, field, defaultOf(field));
      continue;
    }
    let parent = fields;
    for (const key of field.keys.slice(0, -1)) parent = (parent[key] ??= {}) as Record<string, unknown>;
    const key = field.keys.at(-1) as string;
    if (parent[key] === undefined) parent[key] = checkValue(layout, field, defaultOf(field));
  }
}

const defaultOf = (field: Field): unknown =>
  typeof field.default === "function" ? (field.default as () => unknown)() : field.default;

const wrong = (layout: Layout, field: Field, what: string) =>
  new InvalidDocumentError(`${layout.name}: ${field.path} ${what}`);
