import type { Schema, SchemaType } from "mongoose";
import type { FieldTypes } from "./field-types.ts";
import type { DeclaredField, FieldKind } from "./fields.ts";

/** How Mongoose's schemas and Weft's tables of fields describe one field. */
interface Definition {
  type: unknown;
  json?: boolean;
  enum?: readonly string[];
  required?: boolean;
  default?: unknown;
}

const KINDS = new Map<unknown, FieldKind>([
  [String, "string"],
  [Number, "number"],
  [Boolean, "boolean"],
  [Date, "date"],
]);

function kindOf({ type, json }: Definition): FieldKind | undefined {
  if (json) return "json";
  if (Array.isArray(type)) return type[0] === String ? "strings" : undefined;
  return KINDS.get(type);
}

/** Whether the object defines a field. Otherwise it is an object of fields, one of which may have the name `type`. */
const isDefinition = (definition: object): definition is Definition => {
  const { type } = definition as Partial<Definition>;
  return typeof type === "function" || Array.isArray(type);
};

/** The fields of a table, with those of its nested objects. */
export function declaredFields(fields: FieldTypes): DeclaredField[] {
  const flat = (path: string, definition: object, required: boolean): DeclaredField[] =>
    isDefinition(definition)
      ? [
          {
            path,
            kind: kindOf(definition),
            required: required || definition.required === true,
            values: definition.enum,
            default: definition.default,
          },
        ]
      : Object.entries(definition).flatMap(([name, inner]) => flat(`${path}.${name}`, inner as object, false));
  return Object.entries(fields).flatMap(([name, { definition, required }]) => flat(name, definition, required));
}

const INSTANCES: Record<string, FieldKind> = { String: "string", Number: "number", Boolean: "boolean", Date: "date" };

function fieldOfSchema(path: string, type: SchemaType): DeclaredField {
  const options = type.options as { json?: boolean; default?: unknown };
  const element = (type as { embeddedSchemaType?: { instance: string } }).embeddedSchemaType;
  const isStrings = type.instance === "Array" && element?.instance === "String";
  return {
    path,
    kind: options.json ? "json" : isStrings ? "strings" : INSTANCES[type.instance],
    required: type.isRequired === true,
    values: (type as { enumValues?: string[] }).enumValues,
    default: options.default,
  };
}

/** The fields of Mongoose's schema. */
export const fieldsOfSchema = (schema: Schema): DeclaredField[] =>
  Object.entries(schema.paths).map(([path, type]) => fieldOfSchema(path, type));
