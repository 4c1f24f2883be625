import { z } from "zod";

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
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

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

/** Removes what does not help readers of the document. */
export function tidy(schema: z.core.JSONSchema.BaseSchema): void {
  // A format informs people and programs. The pattern behind it would be noise.
  if (schema.format) delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}

function convert(type: z.ZodType): Converted {
  const schema = z.toJSONSchema(type, {
    io: "input",
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  const text = JSON.stringify(schema).replaceAll(`"$ref":"${DEFS}`, `"$ref":"${COMPONENTS}`);
  const converted = JSON.parse(text) as Converted;
  delete converted.$schema;
  return converted;
}
