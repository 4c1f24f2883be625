/** What a worker writes about itself. */
export interface SignOfLife {
  /** By the worker's own clock. */
  expiresAt: Date;
  /**
   * The length of the lease in ms. The worker renews its lease after each third of it. Older versions do not write it.
   */
  leaseMs?: number;
}

interface Sighting {
  /** The `expiresAt` that the worker wrote, by its own clock. It only tells one sign of life from the next. */
  beat: number;
  /** When this sign of life was first seen, by the monotonic clock of the observing worker. */
  since: number;
}

/**
 * The signs of life that one worker sees of others. The clocks of nodes differ, so a time that another worker has
 * written says little. A worker is lost when its sign of life stays the same for a whole lease, by the monotonic clock
 * here. Half a lease is enough if its lease has also ended by the wall clock here. So where all clocks are right, a
 * loss is found as soon as the lease has ended.
 */
export class Sightings {
  private readonly usualMs: number;
  private seen = new Map<string, Sighting>();

  /** `usualMs` is the lease of a worker that does not write its own. */
  constructor(usualMs: number) {
    this.usualMs = usualMs;
  }

  /**
   * Which of these workers are lost. A worker without a sign of life (null) is lost. Pass all workers of one look
   * together. `now` is in ms of a monotonic clock, `today` in ms since 1970.
   */
  lost(workers: ReadonlyMap<string, SignOfLife | null>, now: number, today: number): string[] {
    const before = this.seen;
    this.seen = new Map();
    const lost: string[] = [];
    for (const [id, sign] of workers) {
      if (!sign) {
        lost.push(id);
        continue;
      }
      const beat = sign.expiresAt.getTime();
      const leaseMs = sign.leaseMs ?? this.usualMs;
      const last = before.get(id);
      const since = last?.beat === beat ? last.since : now;
      this.seen.set(id, { beat, since });
      const silentMs = now - since;
      if (silentMs >= leaseMs || (beat <= today && silentMs >= leaseMs / 2)) lost.push(id);
    }
    return lost;
  }
}
