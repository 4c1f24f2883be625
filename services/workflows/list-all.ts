import type { Store } from "../../adapters/store/port.ts";
import { handle } from "../../contracts/call.ts";
import type { WorkflowListing } from "../../contracts/entities/workflow.ts";
import { namesOf } from "../../service-kit/names.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { withSlugs } from "./find-workflow.ts";
import { orderOf, presentListing, versions, type WorkflowDoc, workflows } from "./model.ts";

/** Each document has a definition, so only some are in memory at a time. */
const AT_A_TIME = 20;
/** The most workflows that a search for a text looks through for one page. */
const MAX_SCANNED = 500;

const MAX_EDITED = 1_000;

const hasText = ({ name, description }: WorkflowDoc, text: string): boolean =>
  name.toLowerCase().includes(text) || description.toLowerCase().includes(text);

/** The workflows of which a user has saved a version: of many, those that were created last. */
async function editedIds(store: Store, workspaceId: string, createdBy: string): Promise<string[]> {
  const counts = await store.tenant(versions, workspaceId).tally({ createdBy }, "workflowId");
  return Object.keys(counts).toSorted().slice(-MAX_EDITED);
}

export const listAll = handle<"workflows.listAll", WithStore>("workflows.listAll", async function (ctx) {
  const { workspaceId, spaceId, trashed, starred, editedBy, q, sort, limit, cursor = null } = ctx.params;
  const filter = {
    status: trashed ? ("trashed" as const) : ("active" as const),
    ...(spaceId !== undefined && { spaceId }),
    ...(starred !== undefined && { starred }),
    ...(editedBy !== undefined && { id: { $in: await editedIds(this.store, workspaceId, editedBy) } }),
    ...ALIVE,
  };
  const all = this.store.tenant(workflows, workspaceId);
  const text = q?.toLowerCase();
  const items: WorkflowListing[] = [];
  let after = cursor;
  for (let scanned = 0; scanned < MAX_SCANNED && items.length < limit; scanned += AT_A_TIME) {
    const page = await all.find(filter, {
      sort: orderOf(sort),
      limit: Math.min(AT_A_TIME, limit - items.length),
      after,
    });
    const found = page.items.filter(doc => text === undefined || hasText(doc, text));
    items.push(...(await withSlugs(all, found)).map(presentListing));
    after = page.next;
    if (after === null) break;
  }
  const names = await namesOf(ctx, workspaceId, { users: items.map(({ createdBy }) => createdBy) });
  const named = items.map(item => {
    const createdByName = names.user(item.createdBy);
    return { ...item, ...(createdByName && { createdByName }) };
  });
  return { items: named, next: after };
});
