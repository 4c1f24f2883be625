import { escapeHtml as esc } from "./html.ts";
import { COMPONENTS, type JsonSchema } from "./json-schema.ts";

const code = (value: unknown) => `<code>${esc(JSON.stringify(value))}</code>`;

function boundsText({ minimum, maximum, minLength, maxLength }: JsonSchema): string {
  const low = minimum ?? minLength;
  const high = maximum ?? maxLength;
  const unit = minLength === undefined && maxLength === undefined ? "" : " characters";
  if (low !== undefined && high !== undefined) return `, ${low} to ${high}${unit}`;
  if (low !== undefined) return `, at least ${low}${unit}`;
  return high === undefined ? "" : `, at most ${high}${unit}`;
}

function baseHtml(schema: JsonSchema): string {
  if (schema.$ref) {
    const name = esc(schema.$ref.slice(COMPONENTS.length));
    return `<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.enum) return schema.enum.map(code).join(" | ");
  if (schema.const !== undefined) return code(schema.const);
  const either = schema.anyOf ?? schema.allOf;
  if (either) return either.map(typeHtml).join(schema.anyOf ? " or " : " and ");
  if (schema.type === "array") return `array of ${schema.items ? typeHtml(schema.items) : "anything"}`;
  if (schema.properties) {
    const fields = Object.entries(schema.properties).map(([name, field]) => `${esc(name)}: ${typeHtml(field)}`);
    return `{ ${fields.join(", ")} }`;
  }
  return schema.type === undefined ? "anything" : [schema.type].flat().join(" or ");
}

/** A schema in a few words, with links to the schemas that it names. */
export function typeHtml(schema: JsonSchema): string {
  const format = schema.format ? ` (${esc(schema.format)})` : "";
  const preset = schema.default === undefined ? "" : `, ${code(schema.default)} if absent`;
  return baseHtml(schema) + format + boundsText(schema) + preset;
}
