import type { Store } from "../../../adapters/store/port.ts";
import { firstIdAt } from "../../../core/id-time.ts";
import { isFinal } from "../../../core/run/state.ts";
import { DAY_MS } from "../../../core/stats/days.ts";
import { removeAll } from "../../../service-kit/remove-all.ts";
import { inTurns } from "../../../service-kit/in-turns.ts";
import { Executions, Journal, journalRange } from "../store/model.ts";

const BATCH = 50;
/** The time limit of one turn, so that a stop need not wait. */
const TURN_MS = 500;
/** The time from one pass over all journals to the next. */
const PASS_EVERY_MS = DAY_MS;
/**
 * After this time no retry stores the execution: an idempotency key is kept for a day, and a schedule makes up only for
 * its latest time.
 */
const SETTLED_MS = 7 * DAY_MS;

/** Whether the parent execution may still store this one. */
async function mayBeStored(store: Store, executionId: string): Promise<boolean> {
  const { items } = await store.acrossTenants(Journal).find({ id: journalRange(executionId) }, { limit: 1 });
  const [append] = items;
  const [entry] = append?.entries ?? [];
  if (!append || entry?.event !== "execution.created" || entry.trigger.type !== "subworkflow") return false;
  const { id: callerId } = entry.trigger;
  if (callerId === undefined) return false;
  const caller = await store.tenant(Executions, append.workspaceId).get({ id: callerId });
  return caller !== null && (!isFinal(caller.status) || caller.followUp === true);
}

/**
 * Removes journals whose execution does not exist. On MongoDB, a worker that is killed between the first two writes of
 * a start leaves such a journal. The cursor is kept in memory, so each node goes over all journals once a day, a part
 * in each turn.
 */
export class OrphanJournals {
  private readonly store: Store;
  /** The next id to look at in this pass. */
  private from = "";
  private nextPassAt = 0;

  constructor(store: Store) {
    this.store = store;
  }

  /** Continues the pass that is due, for half a second at most. Returns the number of journals removed. */
  async run(now: Date): Promise<number> {
    if (now.getTime() < this.nextPassAt) return 0;
    let removed = 0;
    const end = firstIdAt(new Date(now.getTime() - SETTLED_MS));
    const more = await inTurns(TURN_MS, async () => {
      const { items, next } = await this.store
        .acrossTenants(Executions)
        .find({ id: { $gte: this.from, $lt: end } }, { limit: BATCH });
      const last = items.at(-1);
      // Every id of a journal begins with the id of its execution and a colon.
      const to = next !== null && last ? `${last.id};` : end;
      removed += await this.removeWithin(this.from, to, new Set(items.map(({ id }) => id)));
      this.from = to;
      return next !== null;
    });
    if (more) return removed;
    this.from = "";
    this.nextPassAt = now.getTime() + PASS_EVERY_MS;
    return removed;
  }

  private async removeWithin(from: string, to: string, known: ReadonlySet<string>): Promise<number> {
    // A tally reads no entries, which may be large.
    const found = await this.store.acrossTenants(Journal).tally({ id: { $gte: from, $lt: to } }, "executionId");
    let removed = 0;
    for (const id of Object.keys(found)) {
      if (known.has(id) || (await mayBeStored(this.store, id))) continue;
      if (await this.store.acrossTenants(Executions).get({ id })) continue;
      await removeAll(this.store.acrossTenants(Journal), { id: journalRange(id) });
      removed++;
    }
    return removed;
  }
}
