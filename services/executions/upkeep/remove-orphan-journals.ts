import type { Filter, Store } from "../../../adapters/store/port.ts";
import { firstIdAt } from "../../../core/id-time.ts";
import { isFinal } from "../../../core/run/state.ts";
import { DAY_MS } from "../../../core/stats/days.ts";
import { removeAll } from "../../../service-kit/remove-all.ts";
import { repeatWithPauses } from "../../../service-kit/repeat-with-pauses.ts";
import { labelRange, RunLabels } from "../store/labels.ts";
import { Executions, Journal, type JournalDoc, journalRange } from "../store/model.ts";

const BATCH = 50;
/** The time limit of one turn, so that a stop does not have to wait. */
const TURN_MS = 500;
/** The time from one pass over all journals to the next. */
const PASS_EVERY_MS = DAY_MS;
/**
 * After this time no retry can store the execution. An idempotency key is kept for a day, and a schedule catches up
 * only on its latest missed time.
 */
const SETTLED_MS = 7 * DAY_MS;

/** The most appends of a range that are counted by execution at once. */
const MOST_APPENDS = 1_000;
/** The most journals that one step of a turn removes. */
const MOST_REMOVED = 20;

/** The first id after all journal ids of an execution. Each of these begins with the execution's id and a colon. */
const behind = (executionId: string): string => `${executionId};`;

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
  /** The next id to examine in this pass. */
  private from = "";
  private nextPassAt = 0;

  constructor(store: Store) {
    this.store = store;
  }

  /** Continues the current or next due pass, for at most half a second. Returns the number of journals removed. */
  async run(now: Date): Promise<number> {
    if (now.getTime() < this.nextPassAt) return 0;
    let removed = 0;
    const end = firstIdAt(new Date(now.getTime() - SETTLED_MS));
    const more = await repeatWithPauses(TURN_MS, async () => {
      const step = await this.step(end);
      removed += step.removed;
      return step.more;
    });
    if (more) return removed;
    this.from = "";
    this.nextPassAt = now.getTime() + PASS_EVERY_MS;
    return removed;
  }

  /** Examines the journals of some executions and the journals between them. Its work is bounded. */
  private async step(end: string): Promise<{ removed: number; more: boolean }> {
    const { items, next } = await this.store
      .acrossTenants(Executions)
      .find({ id: { $gte: this.from, $lt: end } }, { limit: BATCH });
    const last = items.at(-1);
    const to = next !== null && last ? behind(last.id) : end;
    const known = new Set(items.map(({ id }) => id));
    const { ids, all } = await this.executionsWithin({ id: { $gte: this.from, $lt: to } });
    let removed = 0;
    for (const id of ids) {
      if (!known.has(id) && (await this.removeOrphan(id))) removed++;
      this.from = behind(id);
      if (removed >= MOST_REMOVED) return { removed, more: true };
    }
    if (all) this.from = to;
    return { removed, more: !all || next !== null };
  }

  /**
   * The executions whose journals are in a range, in order. `all` is false if the range contains many appends; then
   * only the first execution is returned, because any number of orphans may lie between two stored executions.
   */
  private async executionsWithin(range: Filter<JournalDoc>): Promise<{ ids: string[]; all: boolean }> {
    const journal = this.store.acrossTenants(Journal);
    if ((await journal.count(range, { limit: MOST_APPENDS })) < MOST_APPENDS) {
      // A tally does not read the entries, which may be large.
      return { ids: Object.keys(await journal.tally(range, "executionId")).sort(), all: true };
    }
    const { items } = await journal.find(range, { limit: 1 });
    return { ids: items.map(({ executionId }) => executionId), all: false };
  }

  /** Removes the journal of an execution that does not exist and never will. */
  private async removeOrphan(id: string): Promise<boolean> {
    if (await mayBeStored(this.store, id)) return false;
    if (await this.store.acrossTenants(Executions).get({ id })) return false;
    await removeAll(this.store.acrossTenants(Journal), { id: journalRange(id) });
    await removeAll(this.store.acrossTenants(RunLabels), { id: labelRange(id) });
    return true;
  }
}
