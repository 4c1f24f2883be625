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
  private readonly leaseMs: number;
  private seen = new Map<string, Sighting>();

  constructor(leaseMs: number) {
    this.leaseMs = leaseMs;
  }

  /**
   * Which of these workers are lost, by when they say that their leases end; null for one that says nothing any more. All of one
   * look at once. `now` and `today` in ms: of a clock that does not jump, and since 1970.
   */
  lost(workers: ReadonlyMap<string, Date | null>, now: number, today: number): string[] {
    const before = this.seen;
    this.seen = new Map();
    const lost: string[] = [];
    for (const [id, expiresAt] of workers) {
      const beat = expiresAt?.getTime();
      if (beat === undefined) {
        lost.push(id);
        continue;
      }
      const last = before.get(id);
      const since = last?.beat === beat ? last.since : now;
      this.seen.set(id, { beat, since });
      // One that lives renews its lease every third of it.
      const silentMs = now - since;
      if (silentMs >= this.leaseMs || (beat <= today && silentMs >= this.leaseMs / 2)) lost.push(id);
    }
    return lost;
  }
}
