import type { OutputOf } from "../../contracts/actions.ts";
import { handle } from "../../contracts/call.ts";
import { credentialUses } from "../../core/graph/uses.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { type WorkflowDoc, workflows } from "./model.ts";

type Uses = OutputOf<"workflows.usingCredentials">["uses"];

/** Limits the work and the size of one response. */
const MAX_WORKFLOWS = 1_000;

/** The update that records the credentials of the newest or of the deployed definition. */
export function usesChange(field: "uses" | "deployedUses", definition: unknown) {
  const uses = credentialUses(definition);
  return uses.length > 0 ? { $set: { [field]: uses } } : { $unset: { [field]: true as const } };
}

export const usingCredentials = handle<"workflows.usingCredentials", WithStore>(
  "workflows.usingCredentials",
  async function (ctx) {
    const { workspaceId, keys } = ctx.params;
    const all = this.store.tenant(workflows, workspaceId);
    const wanted = new Set(keys);
    const found = new Map<string, WorkflowDoc>();
    for (const field of ["deployedUses", "uses"] as const) {
      const filter = { [field]: { $in: keys }, ...ALIVE };
      const { items } = await all.find(filter, { sort: { id: -1 }, limit: MAX_WORKFLOWS });
      for (const doc of items) found.set(doc.id, doc);
    }
    const uses: Uses = [];
    for (const { id, spaceId, name, uses: newest = [], deployedUses = [] } of found.values()) {
      for (const key of new Set([...deployedUses, ...newest]))
        if (wanted.has(key))
          uses.push({
            ...{ key, kind: "workflow", id, workflowId: id, spaceId, name },
            deployed: deployedUses.includes(key),
          });
    }
    return { uses: uses.slice(0, MAX_WORKFLOWS) };
  },
);
