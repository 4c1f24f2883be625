/** What a worker writes of itself. */
export interface SignOfLife {
  /** By its own clock. */
  expiresAt: Date;
  /** In ms; it renews its lease every third of it. Older versions do not say it. */
  leaseMs?: number;
}

interface Sighting {
  /** As the worker wrote it, by its own clock: here it only tells one sign of life from the next. */
  beat: number;
  /** When that was first seen, by the clock of whoever looks. */
  since: number;
}

/**
 * What one worker sees of the signs of life of others. The clocks of nodes differ, so a time that another has written says little:
 * a worker is lost when its sign of life stays the same, by a clock here that does not jump. That its lease has ended by our
 * clock of the day too makes it certain sooner, as soon as where all clocks are right.
 */
export class Sightings {
  private readonly usualMs: number;
  private seen = new Map<string, Sighting>();

  /** `usualMs` is the lease of a worker that does not say its own. */
  constructor(usualMs: number) {
    this.usualMs = usualMs;
  }

  /**
   * Which of these workers are lost, by what they say; null for one that says nothing any more. All of one look at once. `now` and
   * `today` in ms: of a clock that does not jump, and since 1970.
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
