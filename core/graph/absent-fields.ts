import { z } from "zod";
import { isObject } from "../json.ts";

function shapesOf(schema: z.ZodType): z.core.$ZodShape[] {
  if (schema instanceof z.ZodObject) return [schema.shape];
  return schema instanceof z.ZodUnion ? schema.options.flatMap(option => shapesOf(option as z.ZodType)) : [];
}

/** The optional fields in which null has no meaning of its own. */
function leavable(schema: z.ZodType): Set<string> {
  const fields = shapesOf(schema).flatMap(shape => Object.entries(shape));
  const takes = (field: z.core.$ZodType, value: unknown) => z.safeParse(field, value).success;
  return new Set(fields.filter(([, field]) => takes(field, undefined) && !takes(field, null)).map(([name]) => name));
}

/**
 * Makes optional fields accept null, which counts as absent, because an expression that finds nothing gives null.
 * Fields in which null is a value of its own (the body of a request) keep it.
 */
export function nullAsAbsent<S extends z.ZodType>(schema: S): z.ZodType<z.output<S>> {
  const names = leavable(schema);
  if (names.size === 0) return schema as z.ZodType<z.output<S>>;
  const isAbsent = ([name, value]: [string, unknown]) => value === null && names.has(name);
  const given = (data: unknown) => {
    if (!isObject(data) || !Object.entries(data).some(isAbsent)) return data;
    return Object.fromEntries(Object.entries(data).filter(field => !isAbsent(field)));
  };
  return z.preprocess(given, schema);
}
