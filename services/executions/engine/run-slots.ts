import type { Store } from "../../../adapters/store/port.ts";
import { MAX_AT_ONCE, type Quotas, UNLIMITED } from "../../../contracts/entities/quota.ts";
import { AppError } from "../../../contracts/errors.ts";
import { Slots } from "../store/model.ts";
import { takeFreeSlot } from "../store/slots.ts";

/** The group of these slots. It differs from the groups of workflows. */
const GROUP = "at-once";
/** A slot is taken before its run is stored. A run that is still missing after this time was never stored. */
const STORED_WITHIN_MS = 60_000;
const RETRY_SECONDS = 5;

/** The largest number of unfinished runs that a quota allows; null without such a quota. */
export const maxAtOnce = ({ executions_at_once: allowed }: Quotas): number | null =>
  allowed < UNLIMITED ? Math.min(allowed, MAX_AT_ONCE) : null;

const slotsOf = (store: Store, workspaceId: string) => store.tenant(Slots, workspaceId);

/**
 * Takes one of `allowed` slots for a run of a workspace.
 * @returns how many are taken now
 * @throws {AppError} quota_exceeded when all are taken
 */
export async function takeSlot(
  store: Store,
  workspaceId: string,
  executionId: string,
  allowed: number,
): Promise<number> {
  const slots = {
    workspaceId,
    group: GROUP,
    prefix: `${workspaceId}:${GROUP}`,
    limit: allowed,
    graceMs: STORED_WITHIN_MS,
  };
  const taken = await takeFreeSlot(store, slots, executionId);
  if (taken !== null) return taken;
  throw new AppError("quota_exceeded", {
    detail: `The quota is ${allowed} unfinished runs in a workspace. A run that ends makes room for another.`,
    retryAfterSeconds: RETRY_SECONDS,
  });
}

export const releaseSlot = (store: Store, workspaceId: string, executionId: string): Promise<number> =>
  slotsOf(store, workspaceId).remove({ group: GROUP, executionId });

/** How many runs hold a slot. Runs hold slots only if the workspace has a quota. */
export const countSlots = (store: Store, workspaceId: string): Promise<number> =>
  slotsOf(store, workspaceId).count({ group: GROUP }, { limit: MAX_AT_ONCE });
