/** The call is refused because too many are waiting. */
export class NoSlotError extends Error {
  override readonly name = "NoSlotError";
}

interface Waiting {
  start(): void;
}

interface Place {
  running: number;
  waiting: Set<Waiting>;
}

export interface SlotLimits {
  /** The most concurrent calls of one key. */
  atOnce: number;
  /** The most waiting calls of one key. More are refused with NoSlotError. */
  waiting: number;
}

/** Limits the concurrent calls of each key. The others wait in order. */
export class CallSlots {
  readonly #limits: SlotLimits;
  readonly #places = new Map<string, Place>();

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /**
   * @throws {NoSlotError} when too many wait; an abort during the wait throws the signal's reason, and errors of the
   * work pass through
   */
  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const place = this.#places.get(key) ?? { running: 0, waiting: new Set() };
    this.#places.set(key, place);
    if (place.running < this.#limits.atOnce) place.running++;
    else await this.#turn(place, signal);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      const [next] = place.waiting;
      if (next) {
        place.waiting.delete(next);
        next.start();
      } else if (--place.running === 0) this.#places.delete(key);
    }
  }

  #turn({ waiting }: Place, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (waiting.size >= this.#limits.waiting) return Promise.reject(new NoSlotError());
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const own: Waiting = { start: resolve };
    waiting.add(own);
    const leave = () => {
      if (waiting.delete(own)) reject(signal.reason as Error);
    };
    signal.addEventListener("abort", leave, { once: true });
    return promise.finally(() => signal.removeEventListener("abort", leave));
  }
}
