import { z } from "zod";
import { json } from "../primitives.ts";
import { versionNumber } from "./workflow.ts";

/** One value that differs. `path` is a JSON Pointer (RFC 6901); applied in their order, changes are those of RFC 6902. */
export const change = z
  .object({ op: z.enum(["add", "remove", "replace"]), path: z.string(), from: json.optional(), to: json.optional() })
  .meta({ id: "Change" });
export type Change = z.infer<typeof change>;

const changedText = z.object({ from: z.string(), to: z.string() });

export const workflowDiff = z
  .object({
    from: versionNumber,
    to: versionNumber,
    name: changedText.nullable(),
    description: changedText.nullable(),
    nodes: z.object({
      added: z.array(json),
      removed: z.array(json),
      changed: z
        .array(z.object({ id: z.string(), changes: z.array(change) }))
        .meta({ description: "nodes that both have, by id; the paths begin at the node" }),
      reordered: z.boolean(),
    }),
    edges: z.object({ added: z.array(json), removed: z.array(json), reordered: z.boolean() }),
    settings: z.array(change).meta({ description: "`settings` of the definition; the paths begin at the definition" }),
    definition: z.array(change).meta({
      description: "whatever else of the definition, and all of it where one of the two is no graph",
    }),
    truncated: z.boolean().meta({ description: "there is more than is shown: read the versions themselves" }),
  })
  .meta({ id: "WorkflowDiff" });
export type WorkflowDiff = z.infer<typeof workflowDiff>;
