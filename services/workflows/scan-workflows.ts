import type { Filter, Sort } from "../../adapters/store/port.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { type WorkflowDoc, workflows } from "./model.ts";

/** Definitions may be large, so few are in memory at once. */
const BATCH = 20;
/** The most workflows that are looked through for one page. */
const MAX_SCANNED = 500;

interface Scan {
  workspaceId: string;
  limit: number;
  cursor?: string | null | undefined;
  /** Those that are active, unless it says otherwise. */
  filter?: Filter<WorkflowDoc>;
  /** The newest first, unless it says otherwise. */
  sort?: Sort<WorkflowDoc>;
}

/**
 * A page of what `pick` finds in the workflows of a workspace. It gets some of them at a time, and gives at most one item
 * for each. A page may have fewer items than `limit` and still a next one, because the scan is bounded.
 */
export async function scanWorkflows<T>(
  { store }: WithStore,
  { workspaceId, limit, cursor = null, filter = { status: "active" }, sort = { id: -1 } }: Scan,
  pick: (some: readonly WorkflowDoc[]) => Promise<readonly T[]>,
): Promise<{ items: T[]; next: string | null }> {
  const all = store.tenant(workflows, workspaceId);
  const items: T[] = [];
  let after = cursor;
  for (let scanned = 0; scanned < MAX_SCANNED && items.length < limit; scanned += BATCH) {
    const page = await all.find({ ...filter, ...ALIVE }, { sort, limit: Math.min(BATCH, limit - items.length), after });
    items.push(...(await pick(page.items)));
    after = page.next;
    if (after === null) break;
  }
  return { items, next: after };
}

/** For `scanWorkflows`: looks at one workflow after the other. Those for which `look` gives undefined are left out. */
export const oneByOne =
  <T>(look: (workflow: WorkflowDoc) => Promise<T | undefined>) =>
  async (some: readonly WorkflowDoc[]): Promise<T[]> => {
    const items: T[] = [];
    for (const workflow of some) {
      const item = await look(workflow);
      if (item !== undefined) items.push(item);
    }
    return items;
  };
