import { z } from "zod";
import { id } from "../primitives.ts";

/** The kinds of objects that people search by name. */
export const FOUND_TYPES = [
  "workflow",
  "step",
  "run",
  "knowledge_base",
  "tool_server",
  "api",
  "tool",
  "schedule",
  "webhook",
  "credential",
  "variable",
  "file",
  "member",
] as const;

export const foundType = z.enum(FOUND_TYPES);
export type FoundType = z.infer<typeof foundType>;

/** An object of a workspace that a search by words has found. */
export const found = z
  .object({
    type: foundType,
    id: z.string().meta({
      description: "Its id. For a step, the id of its workflow. For a variable, its name.",
    }),
    spaceId: id.nullable().meta({ description: "The space of a workflow, step, run, schedule or webhook." }),
    title: z.string(),
    subtitle: z.string().nullable(),
    nodeId: z.string().optional().meta({ description: "For a step: its id in the workflow." }),
    serverId: id.optional().meta({ description: "For a tool: its server." }),
    apiId: id.optional().meta({ description: "For an operation of an API, which is a tool: that API." }),
  })
  .meta({ id: "Found" });
export type Found = z.infer<typeof found>;

export const foundInWorkspace = z
  .object({
    items: z.array(found).meta({ description: "Best match first." }),
    missing: z.array(foundType).meta({ description: "Kinds whose service did not respond in time." }),
  })
  .meta({ id: "FoundInWorkspace" });
