import { escapeHtml as esc, prose } from "../../openapi/html.ts";
import type { JsonSchema } from "../../openapi/json-schema.ts";
import { typeHtml } from "../../openapi/schema-html.ts";

const MAX_DEPTH = 4;

/**
 * The object whose fields a schema lists, also inside a list or beside `null`; undefined for schemas with a page of
 * their own.
 */
function objectOf(schema: JsonSchema): JsonSchema | undefined {
  if (schema.properties) return schema;
  if (schema.items) return objectOf(schema.items);
  const options = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  return options.length === 1 && options[0] ? objectOf(options[0]) : undefined;
}

/** The type in a word or two. The fields of an object follow below. */
function shortType(schema: JsonSchema): string {
  const object = objectOf(schema);
  if (!object) return typeHtml(schema);
  if (schema.items) return "array of objects";
  return schema.anyOf ? "object or null" : "object";
}

function fieldHtml(name: string, schema: JsonSchema, required: boolean, depth: number): string {
  const object = depth < MAX_DEPTH ? objectOf(schema) : undefined;
  const told = schema.description ? `<p>${prose(schema.description)}</p>` : "";
  const inner = object
    ? `<details class="inner"><summary>Fields of <code>${esc(name)}</code></summary>${fieldsHtml(object, depth + 1)}</details>`
    : "";
  const mark = required ? '<span class="required">required</span>' : "";
  return `<div><dt><code>${esc(name)}</code> <span class="type">${shortType(schema)}</span>${mark}</dt><dd>${told}${inner}</dd></div>`;
}

/** A list of an object's fields, with type and meaning. */
export function fieldsHtml({ properties = {}, required = [] }: JsonSchema, depth = 0): string {
  const fields = Object.entries(properties).map(([name, field]) =>
    fieldHtml(name, field, required.includes(name), depth),
  );
  return fields.length > 0 ? `<dl class="fields">${fields.join("\n")}</dl>` : "";
}

/** A list of values that are not part of the body. */
export function valuesHtml(
  values: readonly { name: string; schema: JsonSchema; required: boolean; description?: string | undefined }[],
): string {
  const rows = values.map(({ name, schema, required, description }) =>
    fieldHtml(name, description === undefined ? schema : { ...schema, description }, required, MAX_DEPTH),
  );
  return `<dl class="fields">${rows.join("\n")}</dl>`;
}
