import { handle } from "../../contracts/call.ts";
import type { WorkflowSummary } from "../../contracts/entities/workflow-tool.ts";
import { inputSchemaOf } from "../../core/graph/input-schema.ts";
import { boundedPage } from "../../service-kit/bounded-page.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { type WorkflowDoc, workflows } from "./model.ts";

const summaryOf = (doc: WorkflowDoc): WorkflowSummary => ({
  id: doc.id,
  spaceId: doc.spaceId,
  name: doc.name,
  description: doc.description,
  version: doc.version,
  deployedVersion: doc.deployedVersion ?? null,
  inputSchema: inputSchemaOf(doc.definition),
});

export const catalog = handle<"workflows.catalog", WithStore>("workflows.catalog", async function (ctx) {
  const { workspaceId, spaceId, limit, cursor = null } = ctx.params;
  const filter = { status: "active" as const, ...(spaceId !== undefined && { spaceId }), ...ALIVE };
  const all = this.store.tenant(workflows, workspaceId);
  const page = await boundedPage(
    (max, after) => all.find(filter, { sort: { id: -1 }, limit: max, after }),
    limit,
    cursor,
  );
  return { items: page.items.map(summaryOf), next: page.next };
});
