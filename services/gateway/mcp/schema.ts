import { z } from "zod";
import { simplify } from "../openapi/json-schema.ts";

/** A JSON Schema (draft 2020-12) of an object, as the lists of tools require. */
export type ObjectSchema = { type: "object"; [keyword: string]: unknown };

function convert(type: z.ZodObject, io: "input" | "output"): ObjectSchema {
  const schema = z.toJSONSchema(type, {
    io,
    override: ({ jsonSchema }) => {
      simplify(jsonSchema);
      // A later version of the service may add fields to its output.
      if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  delete schema.id;
  return { ...schema, type: "object" };
}

/** Conversions are cached by schema object. This works because schemas are constants. */
const kept = { input: new WeakMap<z.ZodObject, ObjectSchema>(), output: new WeakMap<z.ZodObject, ObjectSchema>() };

export function jsonSchemaOf(type: z.ZodObject, io: "input" | "output"): ObjectSchema {
  let schema = kept[io].get(type);
  if (!schema) kept[io].set(type, (schema = convert(type, io)));
  return schema;
}
