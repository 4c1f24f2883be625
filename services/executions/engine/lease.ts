import { Executions, Workers } from "../store/model.ts";
import type { EngineParts } from "./parts.ts";
import { headOrder } from "../store/queue-order.ts";
import { FailureDetector, type WorkerLease } from "./failure-detector.ts";

const MAX_COUNTED = 10_000;
const FORGOTTEN_LEASES = 10;
const LEASES_AT_ONCE = 1_000;

/** The functions of the engine that the lease calls. */
export interface LeaseHost {
  /** Executions were given back to the queue. */
  returned(): void;
  holds(executionId: string): boolean;
  held(): string[];
  /** Another node cancelled an execution. The store already contains its end, or the start of its compensations. */
  cancelled(executionId: string, how: { undoes: boolean }): void;
}

/** Renews this worker's lease in the store, and gives back the executions of lost workers. */
export class Lease {
  private readonly parts: EngineParts;
  private readonly leaseMs: number;
  private readonly holdings: LeaseHost;
  private timer: NodeJS.Timeout | undefined;
  private beating: Promise<void> | undefined;
  private suspects = new Set<string>();
  private readonly detector: FailureDetector;
  /**
   * The workers at the last look, including this one and, for a while, lost ones. A worker whose clock is behind looks
   * like a lost one, so both count. A number that is too high only makes the limits be counted more often.
   */
  workers = 1;

  constructor(parts: EngineParts, leaseMs: number, holdings: LeaseHost) {
    this.parts = parts;
    this.leaseMs = leaseMs;
    this.holdings = holdings;
    this.detector = new FailureDetector(leaseMs);
  }

  async start(): Promise<void> {
    await this.renew();
    this.timer = setInterval(() => this.beat(), this.leaseMs / 3);
    this.beat();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.beating;
    await this.giveBack(this.parts.workerId, { lost: false });
    await this.docs.remove({ id: this.parts.workerId });
  }

  private get docs() {
    return this.parts.store.global(Workers);
  }

  private beat(): void {
    this.beating ??= this.renew()
      .then(() => this.sweep())
      .catch((error: unknown) => this.parts.warn("The worker's lease could not be renewed; Weft tries again.", error))
      .finally(() => (this.beating = undefined));
  }

  private async renew(): Promise<void> {
    const { workerId: id } = this.parts;
    const { leaseMs } = this;
    const expiresAt = new Date(Date.now() + leaseMs);
    const renewed = await this.docs.updateOne({ id }, { $set: { expiresAt } });
    // The document is missing, so other workers took this one for dead. The journal's fence protects the runs that it
    // still holds.
    if (!renewed) await this.docs.insert({ id, startedAt: new Date(), expiresAt, leaseMs });
  }

  private async sweep(): Promise<void> {
    // A worker that has been silent for this long is dead. Larger differences between clocks are not supported.
    await this.docs.remove(
      { expiresAt: { $lt: new Date(Date.now() - FORGOTTEN_LEASES * this.leaseMs) } },
      { limit: 100 },
    );
    this.workers = await this.docs.count({}, { limit: MAX_COUNTED });
    const held = await this.parts.store.acrossTenants(Executions).tally({ workerId: { $exists: true } }, "workerId");
    for (const id of await this.lostOf(Object.keys(held))) {
      const count = await this.giveBack(id, { lost: true });
      this.parts.logger.warn(`Worker ${id} is lost; its ${count} executions go to other workers.`);
    }
    const [mine, here] = [held[this.parts.workerId] ?? 0, this.holdings.held()];
    if (mine > here.length) await this.returnOrphans();
    else this.suspects.clear();
    if (mine < here.length) await this.letGo(here);
  }

  private async lostOf(ids: string[]): Promise<string[]> {
    const others = ids.filter(id => id !== this.parts.workerId);
    const leases = new Map<string, WorkerLease | null>(others.map(id => [id, null]));
    for (let from = 0; from < others.length; from += LEASES_AT_ONCE) {
      const some = others.slice(from, from + LEASES_AT_ONCE);
      const { items } = await this.docs.find({ id: { $in: some } }, { limit: LEASES_AT_ONCE });
      for (const lease of items) leases.set(lease.id, lease);
    }
    return this.detector.lost(leases, performance.now(), Date.now());
  }

  /**
   * Gives back executions that the store assigns to this worker but that it does not hold. They come from claims and
   * starts that succeeded although they seemed to fail.
   */
  private async returnOrphans(): Promise<void> {
    const { store, workerId } = this.parts;
    const mine = { workerId };
    const docs = store.acrossTenants(Executions);
    const { items } = await docs.find(mine, { limit: 1_000 });
    const order = (await headOrder(store)) ?? 0;
    const strays = items.map(doc => doc.id).filter(id => !this.holdings.holds(id));
    // A claim in progress looks the same for a moment, so only executions that were also found at the last look are
    // given back.
    const orphans = strays.filter(id => this.suspects.has(id));
    this.suspects = new Set(strays);
    const change = { $set: { queued: true, order }, $unset: { workerId: 1 } } as const;
    if (orphans.length > 0) await docs.updateMany({ id: { $in: orphans }, workerId }, change);
    this.holdings.returned();
  }

  /**
   * Stops executions that another node cancelled. The hint of a cancellation may be lost. Without this check, the steps
   * would go on until the next append fails.
   */
  private async letGo(here: string[]): Promise<void> {
    const { store, workerId: me } = this.parts;
    const { items } = await store.acrossTenants(Executions).find({ id: { $in: here } }, { limit: 1_000 });
    for (const { id, status, undoes, workerId } of items)
      if (status === "cancelled" || (undoes === "begun" && workerId !== me))
        this.holdings.cancelled(id, { undoes: status !== "cancelled" });
  }

  private async giveBack(workerId: string, { lost }: { lost: boolean }): Promise<number> {
    const { store } = this.parts;
    const order = (await headOrder(store)) ?? 0;
    const count = await store
      .acrossTenants(Executions)
      .updateMany({ workerId }, { $set: { queued: true, order, lost }, $unset: { workerId: 1 } });
    if (count > 0) this.holdings.returned();
    return count;
  }
}
