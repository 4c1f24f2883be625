import { z } from "zod";
import { formFault } from "../forms/check-form.ts";

/** A small limit, because lists of tools show the schema of each workflow. */
const MAX_CHARS = 32_768;

const isSmall = (schema: unknown) => JSON.stringify(schema).length <= MAX_CHARS;

/** The form that tool protocols require: an object at the root, with properties whose schemas are objects too. */
const shape = z.looseObject({
  type: z.literal("object"),
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  required: z.array(z.string()).optional(),
});

/** The schema of the input that a workflow takes: a JSON Schema (draft 2020-12) of an object. */
export const inputSchema = z
  .record(z.string(), z.unknown())
  .refine(isSmall, "Must not be larger than 32 KiB")
  .pipe(shape)
  .superRefine((schema, context) => {
    const fault = formFault(schema);
    if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
  });
export type InputSchema = z.output<typeof inputSchema>;

/** The input schema in the settings of a definition; null if it is missing or not valid. */
export function inputSchemaOf(definition: unknown): InputSchema | null {
  const { settings } = (definition ?? {}) as { settings?: { inputSchema?: unknown } | null };
  return inputSchema.safeParse(settings?.inputSchema).data ?? null;
}
