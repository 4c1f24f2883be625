import { z } from "zod";
import { isObject } from "../../json.ts";
import type { FieldWords } from "./words.ts";

type Schema = Record<string, unknown>;

/** The formats for which zod adds a redundant pattern. */
const FORMATS = new Set<unknown>(["date", "date-time", "uuid"]);

function clean(schema: Schema): void {
  if (FORMATS.has(schema.format)) delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}

/**
 * Adds the requirements of a pipe's second schema. Large records and lists are pipes: the first schema counts the
 * entries, and the second one checks each of them.
 */
function joinPipe(type: z.core.$ZodTypes, schema: Schema): void {
  const { def } = type._zod;
  if (def.type !== "pipe" || def.in._zod.def.type === "transform" || def.out._zod.def.type === "transform") return;
  Object.assign(schema, { ...withoutDialect(convert(def.out)), ...limits(schema) });
}

/** The bounds on the number of entries. */
const limits = ({ minItems, maxItems, maxProperties }: Schema): Schema =>
  Object.fromEntries(Object.entries({ minItems, maxItems, maxProperties }).filter(([, value]) => value !== undefined));

function withoutDialect({ $schema: _, ...schema }: Schema): Schema {
  return schema;
}

const convert = (type: z.core.$ZodType): Schema =>
  z.toJSONSchema(type, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      joinPipe(zodSchema, jsonSchema);
      clean(jsonSchema);
    },
  });

/** The JSON Schema (draft 2020-12) of the values that this type outputs. */
export const outputSchema = (type: z.ZodType): Schema =>
  z.toJSONSchema(type, {
    io: "output",
    unrepresentable: "any",
    override: ({ jsonSchema }) => clean(jsonSchema as Schema),
  });

const objectsIn = (value: unknown): Schema[] => {
  if (!isObject(value)) return [];
  const { anyOf, oneOf, items } = value;
  const inner = [anyOf, oneOf].flatMap(list => (Array.isArray(list) ? (list as unknown[]) : [])).flatMap(objectsIn);
  return [value, ...inner, ...objectsIn(items)];
};

/** The text of a cell in the documents, as a sentence. */
function sentence(text: string): string {
  const begun = text.replace(/^\[?\p{L}/u, start => start.toUpperCase());
  return /[.?]$/.test(begun) ? begun : `${begun}.`;
}

function addWords(schema: unknown, prefix: string, fields: Record<string, FieldWords>): void {
  const order = Object.keys(fields);
  for (const { properties } of objectsIn(schema)) {
    for (const [name, field] of Object.entries((properties as Record<string, Schema> | undefined) ?? {})) {
      const path = `${prefix}${name}`;
      const words = fields[path];
      addWords(field, `${path}.`, fields);
      if (!words) continue;
      const { title, docs, hint, widget, group, credentialType, belongsTo } = words;
      const more = {
        ...(hint !== undefined && { hint: hint && sentence(hint) }),
        ...(group && { group }),
        ...(credentialType && { credentialType }),
        ...(belongsTo && { belongsTo }),
      };
      const hints = { ...(widget && { widget }), order: order.indexOf(path), ...more };
      Object.assign(field, { title, description: sentence(docs), "x-weft": hints });
    }
  }
}

/** The JSON Schema (draft 2020-12) of a type's data, with titles, descriptions and hints for forms in `x-weft`. */
export function dataSchema(type: z.ZodType, fields: Record<string, FieldWords>): Schema {
  const schema = convert(type);
  addWords(schema, "", fields);
  return schema;
}
