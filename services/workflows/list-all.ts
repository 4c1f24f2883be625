import type { Store } from "../../adapters/store/port.ts";
import { handle } from "../../contracts/call.ts";
import type { WorkflowListing } from "../../contracts/entities/workflow.ts";
import { namesOf } from "../../service-kit/names.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { withSlugs } from "./find-workflow.ts";
import { orderOf, presentListing, versions, type WorkflowDoc, workflows } from "./model.ts";
import { scanWorkflows } from "./scan-workflows.ts";

const MAX_EDITED = 1_000;

const hasText = ({ name, description }: WorkflowDoc, text: string): boolean =>
  name.toLowerCase().includes(text) || description.toLowerCase().includes(text);

/** The workflows of which a user has saved a version. If there are many, those that were created last. */
async function editedIds(store: Store, workspaceId: string, createdBy: string): Promise<string[]> {
  const counts = await store.tenant(versions, workspaceId).tally({ createdBy }, "workflowId");
  return Object.keys(counts).toSorted().slice(-MAX_EDITED);
}

export const listAll = handle<"workflows.listAll", WithStore>("workflows.listAll", async function (ctx) {
  const { workspaceId, spaceId, trashed, starred, editedBy, q, sort, limit, cursor } = ctx.params;
  const filter = {
    status: trashed ? ("trashed" as const) : ("active" as const),
    ...(spaceId !== undefined && { spaceId }),
    ...(starred !== undefined && { starred }),
    ...(editedBy !== undefined && { id: { $in: await editedIds(this.store, workspaceId, editedBy) } }),
  };
  const all = this.store.tenant(workflows, workspaceId);
  const text = q?.toLowerCase();
  const scan = { workspaceId, limit, cursor, filter, sort: orderOf(sort) };
  const { items, next } = await scanWorkflows(this, scan, async (some): Promise<WorkflowListing[]> => {
    const found = some.filter(doc => text === undefined || hasText(doc, text));
    return (await withSlugs(all, found)).map(presentListing);
  });
  const names = await namesOf(ctx, workspaceId, { users: items.map(({ createdBy }) => createdBy) });
  const named = items.map(item => {
    const createdByName = names.user(item.createdBy);
    return { ...item, ...(createdByName && { createdByName }) };
  });
  return { items: named, next };
});
