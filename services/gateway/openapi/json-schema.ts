import { z } from "zod";
import { MOMENT_PATTERN } from "../../../contracts/primitives.ts";

/** The part of JSON Schema (2020-12) that zod writes for the contracts. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  propertyNames?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

/** Formats that zod itself checks with a pattern. */
const ZOD_FORMATS = new Set<string | undefined>(["date", "date-time", "base64"]);
const DEFS = "#/$defs/";
export const COMPONENTS = "#/components/schemas/";

/** JSON Schemas of contracts. Named ones become components of the document. */
export class SchemaBook {
  readonly components: Record<string, JsonSchema> = {};

  of(type: z.ZodType): JsonSchema {
    const { $defs, id, ...schema } = convert(type);
    for (const [name, def] of Object.entries($defs ?? {})) this.components[name] ??= def;
    if (typeof id !== "string") return schema;
    this.components[id] ??= schema;
    return { $ref: COMPONENTS + id };
  }
}

interface Converted extends JsonSchema {
  $schema?: string;
  $defs?: Record<string, JsonSchema>;
  id?: string;
}

/** Removes parts that do not help readers of the document. */
export function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  // A format is enough for people and programs, so zod's own pattern for it is removed. Patterns of this project
  // contain more and stay.
  if (ZOD_FORMATS.has(schema.format) && schema.pattern !== MOMENT_PATTERN) delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  // Zod writes a union with a discriminator as `oneOf`. `anyOf` is equivalent, because at most one branch of such a
  // union accepts a value.
  if (schema.oneOf) {
    schema.anyOf = schema.oneOf;
    delete schema.oneOf;
  }
}

function convert(type: z.ZodType): Converted {
  const schema = z.toJSONSchema(type, {
    io: "input",
    override: ({ jsonSchema }) => simplify(jsonSchema),
  });
  const text = JSON.stringify(schema).replaceAll(`"$ref":"${DEFS}`, `"$ref":"${COMPONENTS}`);
  const converted = JSON.parse(text) as Converted;
  delete converted.$schema;
  return converted;
}
