import { z } from "zod";
import { json } from "../primitives.ts";
import { versionNumber } from "./workflow.ts";

/**
 * One difference. `path` is a JSON Pointer (RFC 6901). Applied in order, the changes have the effect of a JSON Patch
 * (RFC 6902).
 */
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
      changed: z.array(z.object({ id: z.string(), changes: z.array(change) })).meta({
        description: "The changes of nodes that exist in both versions, by id. Paths are relative to the node.",
      }),
      reordered: z.boolean(),
    }),
    edges: z.object({ added: z.array(json), removed: z.array(json), reordered: z.boolean() }),
    settings: z.array(change).meta({ description: "The changes of `settings`. Paths are relative to the definition." }),
    definition: z.array(change).meta({
      description: "All other changes of the definition. If one of the versions is not a graph, all changes.",
    }),
    truncated: z
      .boolean()
      .meta({ description: "Whether the list of changes is incomplete. Read both versions to compare them in full." }),
  })
  .meta({ id: "WorkflowDiff" });
export type WorkflowDiff = z.infer<typeof workflowDiff>;
