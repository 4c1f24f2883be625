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

/** The formats that zod itself checks by a pattern. */
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

/** Removes what does not help readers of the document. */
export function tidy(schema: z.core.JSONSchema.BaseSchema): void {
  // A format informs people and programs. The pattern that zod has for it would be noise; one of our own says more.
  if (ZOD_FORMATS.has(schema.format) && schema.pattern !== MOMENT_PATTERN) delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  // Zod writes a union with a discriminator as `oneOf`. Of such a union at most one branch accepts a value anyway.
  if (schema.oneOf) {
    schema.anyOf = schema.oneOf;
    delete schema.oneOf;
  }
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
