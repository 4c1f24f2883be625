import { handle } from "../../../contracts/call.ts";
import { namesOf } from "../../../service-kit/names.ts";
import { Executions } from "../store/model.ts";
import { presentNamed } from "../store/present.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

export const summaries = handle<"executions.summaries", ExecutionsService>(
  "executions.summaries",
  async function (ctx) {
    const { workspaceId, ids } = ctx.params;
    if (ids.length === 0) return [];
    const { items } = await this.store
      .tenant(Executions, workspaceId)
      .find({ id: { $in: ids } }, { limit: ids.length });
    const users = items.map(doc => doc.startedBy);
    const names = await namesOf(ctx, workspaceId, { workflows: items.map(doc => doc.workflowId), users });
    return items.map(doc => ({ summary: presentNamed(doc, names), open: doc.asking ?? 0 }));
  },
);
