import { z } from "zod";
import { description, id, json, name } from "../primitives.ts";

const word = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "Expected lower-case words with dashes between them");

/** A workflow that any user may start from. */
export const template = z
  .strictObject({
    id,
    name,
    description,
    category: word.max(50),
    tags: z.array(word.max(50)).min(1).max(10),
    definition: json,
  })
  .meta({ id: "Template" });
export type Template = z.infer<typeof template>;
