/** The lease of a worker, as the worker has stored it. */
export interface WorkerLease {
  /** The end of the lease by the worker's own clock. */
  expiresAt: Date;
  /**
   * The length of the lease in ms. The worker renews its lease after each third of it. Older versions do not write it.
   */
  leaseMs?: number;
}

interface Observation {
  /** The `expiresAt` that the worker wrote, in ms. It only tells one renewal from the next. */
  renewal: number;
  /** When this renewal was first seen, by the monotonic clock of the observing worker. */
  since: number;
}

/**
 * Detects dead workers from the leases that they renew. The clocks of nodes differ, so a time that another worker wrote is
 * not reliable. A worker is lost when its lease has stayed the same for a whole lease, by the monotonic clock here. Half a
 * lease is enough if the lease has also expired by the wall clock here. So if all clocks are right, a loss is found as soon
 * as the lease has expired.
 */
export class FailureDetector {
  private readonly usualMs: number;
  private seen = new Map<string, Observation>();

  /** `usualMs` is the lease of a worker that does not write its own. */
  constructor(usualMs: number) {
    this.usualMs = usualMs;
  }

  /**
   * The ids of the lost workers. A worker without a lease (null) is lost. Pass all observed workers in one call, because
   * the detector forgets the others. `now` is in ms of a monotonic clock, `today` in ms since 1970.
   */
  lost(workers: ReadonlyMap<string, WorkerLease | null>, now: number, today: number): string[] {
    const before = this.seen;
    this.seen = new Map();
    const lost: string[] = [];
    for (const [id, lease] of workers) {
      if (!lease) {
        lost.push(id);
        continue;
      }
      const renewal = lease.expiresAt.getTime();
      const leaseMs = lease.leaseMs ?? this.usualMs;
      const last = before.get(id);
      const since = last?.renewal === renewal ? last.since : now;
      this.seen.set(id, { renewal, since });
      const silentMs = now - since;
      if (silentMs >= leaseMs || (renewal <= today && silentMs >= leaseMs / 2)) lost.push(id);
    }
    return lost;
  }
}
