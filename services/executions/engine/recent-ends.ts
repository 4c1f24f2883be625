/** The time window of the alarm for failing runs. */
const MINUTES = 15;
const MINUTE_MS = 60_000;

export interface Ends {
  completed: number;
  failed: number;
  cancelled: number;
}

const none = (): Ends => ({ completed: 0, failed: 0, cancelled: 0 });

const isEnd = (status: string): status is keyof Ends => status in none();

/** Counts how runs ended on this worker in the last 15 minutes. Times are in milliseconds of a monotonic clock. */
export class RecentEnds {
  readonly #byMinute = new Map<number, Ends>();

  /** Counts the end of a run. Other statuses are ignored. */
  add(status: string, now = performance.now()): void {
    const minute = Math.floor(now / MINUTE_MS);
    const ends = this.#byMinute.get(minute) ?? none();
    if (!isEnd(status)) return;
    ends[status]++;
    this.#byMinute.set(minute, ends);
    if (this.#byMinute.size > MINUTES) this.#forget(minute);
  }

  count(now = performance.now()): Ends {
    this.#forget(Math.floor(now / MINUTE_MS));
    const sum = none();
    for (const { completed, failed, cancelled } of this.#byMinute.values()) {
      sum.completed += completed;
      sum.failed += failed;
      sum.cancelled += cancelled;
    }
    return sum;
  }

  #forget(minute: number): void {
    for (const known of this.#byMinute.keys()) if (known <= minute - MINUTES) this.#byMinute.delete(known);
  }
}
