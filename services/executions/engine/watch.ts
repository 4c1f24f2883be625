import type { ServiceBroker } from "moleculer";
import { hint } from "../../../contracts/call.ts";

const MAX_WATCHED = 100_000;

/** Who is followed from outside, so that appends are announced only where somebody listens. */
export class Watch {
  private readonly until = new Map<string, number>();
  private readonly broker: ServiceBroker;

  constructor(broker: ServiceBroker) {
    this.broker = broker;
  }

  add(executionId: string, forMs: number): void {
    if (this.until.size >= MAX_WATCHED) this.sweep();
    if (this.until.size < MAX_WATCHED) this.until.set(executionId, Date.now() + forMs);
  }

  announce(executionId: string, seq: number): void {
    const until = this.until.get(executionId);
    if (until === undefined) return;
    if (until < Date.now()) this.until.delete(executionId);
    else hint(this.broker, "all", "execution.appended", { executionId, seq });
  }

  sweep(): void {
    const now = Date.now();
    for (const [id, until] of this.until) if (until < now) this.until.delete(id);
  }
}
