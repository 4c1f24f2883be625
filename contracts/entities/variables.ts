import { z } from "zod";
import { json, revision, timestamp } from "../primitives.ts";

export const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, "Expected a name of letters, digits and _, which begins with no digit");

const values = z.record(variableName, json);

/** The variables of a workspace, or of one of its spaces. They are not secret. */
export const variables = z
  .object({
    values: values.meta({ description: "The variables that are set here." }),
    inherited: values.meta({
      description:
        "For a space: the variables of the workspace. Variables of the space with the same name replace them.",
    }),
    updatedAt: timestamp.nullable(),
    revision,
  })
  .meta({ id: "Variables" });
export type Variables = z.infer<typeof variables>;
