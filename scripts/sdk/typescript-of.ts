import { COMPONENTS, type JsonSchema } from "../../services/gateway/openapi/json-schema.ts";

const PLAIN: Readonly<Record<string, string>> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

const isName = (text: string) => /^[A-Za-z_$][\w$]*$/.test(text);

/** A doc comment for users of the SDK; empty if there is no text. */
export const comment = (text: string | undefined) => (text ? `/** ${text.replaceAll("*/", "* /")} */ ` : "");

const listOf = (item: string) => (/[|&]/.test(item) && !item.startsWith("{") ? `(${item})[]` : `${item}[]`);

export function fieldsOf({ properties = {}, required = [] }: JsonSchema): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const optional = required.includes(name) ? "" : "?";
    return `${comment(schema.description)}${isName(name) ? name : JSON.stringify(name)}${optional}: ${typescriptOf(schema)}`;
  });
  return fields.length > 0 ? `{ ${fields.join("; ")} }` : "Record<string, never>";
}

/** The TypeScript type of the values that a schema accepts. Components are referred to by name. */
export function typescriptOf(schema: JsonSchema): string {
  const { $ref, anyOf, type, items, properties, propertyNames, additionalProperties } = schema;
  if ($ref?.startsWith(COMPONENTS)) return $ref.slice(COMPONENTS.length);
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(" | ");
  if ("const" in schema) return JSON.stringify(schema.const);
  // Documented alternatives of a record, such as the data of each type of credential, are not part of its type.
  if (anyOf && additionalProperties === undefined) return anyOf.map(typescriptOf).join(" | ");
  if (type === "array") return listOf(items ? typescriptOf(items) : "unknown");
  if (type === "object" && properties) return fieldsOf(schema);
  if (type === "object" && typeof additionalProperties === "object") {
    const names = propertyNames?.enum ? typescriptOf(propertyNames) : "string";
    return `Record<${names}, ${typescriptOf(additionalProperties)}>`;
  }
  if (type === "object") return "Record<string, unknown>";
  if (type === undefined) return "unknown";
  const plain = [type].flat().map(one => PLAIN[one]);
  if (plain.includes(undefined)) throw new Error(`There is no TypeScript for ${JSON.stringify(schema)}.`);
  return plain.join(" | ");
}
