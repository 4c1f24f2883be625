import { z } from "zod";
import { description, json, name } from "../primitives.ts";
import { workflow } from "./workflow.ts";

export const DOCUMENT_FORMAT = "weft-workflow";
export const DOCUMENT_VERSION = 1;

/** A workflow as a file. It is complete and contains nothing specific to its installation. */
export const workflowDocument = z
  .strictObject({
    format: z.literal(DOCUMENT_FORMAT),
    version: z.literal(DOCUMENT_VERSION).meta({ description: "The version of the document format." }),
    name,
    description,
    definition: json,
  })
  .meta({ id: "WorkflowDocument" });
export type WorkflowDocument = z.infer<typeof workflowDocument>;

/** A part of an import that a person should check. */
export const importWarning = z
  .object({
    nodeId: z.string().nullable().meta({ description: "The node; null if the warning concerns the whole workflow." }),
    node: z.string().nullable().meta({ description: "The name of the node in the imported file." }),
    message: z.string(),
  })
  .meta({ id: "ImportWarning" });
export type ImportWarning = z.infer<typeof importWarning>;

export const importedWorkflow = z
  .object({ ...workflow.shape, warnings: z.array(importWarning) })
  .meta({ id: "ImportedWorkflow" });
