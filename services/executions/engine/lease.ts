import { Executions, Workers } from "../model.ts";
import type { EngineParts } from "./parts.ts";
import { headOrder } from "./queue-order.ts";

/** Keeps this worker alive in the store, and gives back what workers held that are no longer. */
export class Lease {
  private readonly parts: EngineParts;
  private readonly leaseMs: number;
  private readonly onReturned: () => void;
  private timer: NodeJS.Timeout | undefined;
  private beating: Promise<void> | undefined;
  /** Workers that were alive at the last look, this one included. */
  workers = 1;

  constructor(parts: EngineParts, leaseMs: number, onReturned: () => void) {
    this.parts = parts;
    this.leaseMs = leaseMs;
    this.onReturned = onReturned;
  }

  async start(): Promise<void> {
    await this.renew();
    this.timer = setInterval(() => this.beat(), this.leaseMs / 3);
    this.beat();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.beating;
    await this.giveBack(this.parts.workerId);
    await this.docs.remove({ id: this.parts.workerId });
  }

  private get docs() {
    return this.parts.store.global(Workers);
  }

  private beat(): void {
    this.beating ??= this.renew()
      .then(() => this.sweep())
      .catch((error: unknown) =>
        this.parts.logger.warn("The worker's lease was not renewed; it is tried again.", error),
      )
      .finally(() => (this.beating = undefined));
  }

  private async renew(): Promise<void> {
    const { workerId: id } = this.parts;
    const expiresAt = new Date(Date.now() + this.leaseMs);
    const renewed = await this.docs.updateOne({ id }, { $set: { expiresAt } });
    // Gone: the others believed it dead. What it still holds, the journal's fence decides.
    if (!renewed) await this.docs.insert({ id, startedAt: new Date(), expiresAt });
  }

  private async sweep(): Promise<void> {
    const alive = await this.docs.find({ expiresAt: { $gt: new Date() } }, { limit: 1_000 });
    const living = new Set(alive.items.map(worker => worker.id)).add(this.parts.workerId);
    this.workers = living.size;
    const held = await this.parts.store.acrossTenants(Executions).tally({ workerId: { $exists: true } }, "workerId");
    for (const id of Object.keys(held).filter(holder => !living.has(holder))) {
      const count = await this.giveBack(id);
      this.parts.logger.warn(`Worker ${id} is lost; ${count} executions go to others.`);
    }
    await this.docs.remove({ expiresAt: { $lt: new Date(Date.now() - 10 * this.leaseMs) } }, { limit: 100 });
  }

  private async giveBack(workerId: string): Promise<number> {
    const { store } = this.parts;
    const order = (await headOrder(store)) ?? 0;
    const count = await store
      .acrossTenants(Executions)
      .updateMany(
        { workerId: { $exists: true, $eq: workerId } },
        { $set: { queued: true, order }, $unset: { workerId: 1 } },
      );
    if (count > 0) this.onReturned();
    return count;
  }
}
