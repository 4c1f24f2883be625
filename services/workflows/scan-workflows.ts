import type { Page } from "../../adapters/store/port.ts";
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
}

/**
 * A page of what `pick` finds in the active workflows of a workspace, newest first. `pick` gives undefined for a workflow
 * that is left out. A page may have fewer items than `limit` and still a next one, because the scan is bounded.
 */
export async function scanWorkflows<T>(
  { store }: WithStore,
  { workspaceId, limit, cursor = null }: Scan,
  pick: (workflow: WorkflowDoc) => Promise<T | undefined>,
): Promise<{ items: T[]; next: string | null }> {
  const all = store.tenant(workflows, workspaceId);
  const items: T[] = [];
  let after = cursor;
  for (let scanned = 0; scanned < MAX_SCANNED && items.length < limit; scanned += BATCH) {
    const page: Page<WorkflowDoc> = await all.find(
      { status: "active" as const, ...ALIVE },
      { sort: { id: -1 }, limit: Math.min(BATCH, limit - items.length), after },
    );
    for (const workflow of page.items) {
      const item = await pick(workflow);
      if (item !== undefined) items.push(item);
    }
    after = page.next;
    if (after === null) break;
  }
  return { items, next: after };
}
