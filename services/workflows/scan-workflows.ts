import type { Filter, Sort } from "../../adapters/store/port.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { type WorkflowDoc, workflows } from "./model.ts";

/** Definitions may be large, so only a few are in memory at the same time. */
const BATCH = 20;
/** The most workflows that are examined for one page. */
const MAX_SCANNED = 500;

interface Scan {
  workspaceId: string;
  limit: number;
  cursor?: string | null | undefined;
  /** Default: active workflows. */
  filter?: Filter<WorkflowDoc>;
  /** Default: newest first. */
  sort?: Sort<WorkflowDoc>;
}

/**
 * A page of the items that `pick` finds in the workflows of a workspace. `pick` receives some workflows at a time, and
 * returns at most one item for each. A page may have fewer items than `limit` although a next page exists, because the
 * scan is bounded.
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

/**
 * A `pick` for `scanWorkflows` that examines one workflow at a time. Workflows for which `look` returns undefined are
 * skipped.
 */
export const pickEach =
  <T>(look: (workflow: WorkflowDoc) => Promise<T | undefined>) =>
  async (some: readonly WorkflowDoc[]): Promise<T[]> => {
    const items: T[] = [];
    for (const workflow of some) {
      const item = await look(workflow);
      if (item !== undefined) items.push(item);
    }
    return items;
  };
