import { createFairQueue } from "./fair-queue.ts";

/** The work is refused, because too much work is waiting. */
export class GateFullError extends Error {
  override readonly name = "GateFullError";
}

export interface GateLimits {
  /** The most work that runs at the same time. */
  atOnce: number;
  /** The most work of one group that runs at the same time. Defaults to `atOnce`. */
  atOncePerGroup?: number;
  /** The most work that waits. Further work is refused. */
  waiting: number;
  /** The most work of one group that waits. Defaults to a quarter of `waiting`. */
  perGroup?: number;
  /** Called when work has ended. The next work begins when it calls `leave`. By default that is immediately. */
  ended?: (leave: () => void) => void;
}

interface Waiting {
  group: string;
  start(): void;
}

/** Limits how much work runs at the same time. Groups take turns. Within a group, work waits in order. */
export class Gate {
  readonly #limits: GateLimits;
  readonly #queue;
  readonly #runningOf = new Map<string, number>();
  #running = 0;

  constructor(limits: GateLimits) {
    this.#limits = limits;
    this.#queue = createFairQueue<Waiting>(limits.waiting, limits.perGroup);
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  /**
   * Runs the work when its turn comes.
   * @throws {GateFullError} when too much work waits
   * @throws the signal's reason after an abort during the wait; also the errors of the work
   */
  async run<T>(group: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#running < this.#limits.atOnce && this.#room(group) > 0) this.#enter(group);
    else await this.#turn(group, signal);
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      const { ended = (leave: () => void) => leave() } = this.#limits;
      ended(() => this.#leave(group));
    }
  }

  readonly #room = (group: string): number =>
    (this.#limits.atOncePerGroup ?? Infinity) - (this.#runningOf.get(group) ?? 0);

  #enter(group: string): void {
    this.#running++;
    this.#runningOf.set(group, (this.#runningOf.get(group) ?? 0) + 1);
  }

  #leave(group: string): void {
    this.#running--;
    const left = (this.#runningOf.get(group) ?? 1) - 1;
    if (left > 0) this.#runningOf.set(group, left);
    else this.#runningOf.delete(group);
    const next = this.#queue.shift(this.#room);
    if (!next) return;
    this.#enter(next.group);
    next.start();
  }

  #turn(group: string, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const waiting: Waiting = { group, start: resolve };
    if (!this.#queue.push(group, waiting)) return Promise.reject(new GateFullError());
    const leave = () => {
      this.#queue.remove(group, waiting);
      reject(signal?.reason as Error);
    };
    signal?.addEventListener("abort", leave, { once: true });
    return promise.finally(() => signal?.removeEventListener("abort", leave));
  }
}

/** A gate for each key, so that slow work of one key does not delay other keys. */
export class Gates {
  readonly #limits: GateLimits;
  readonly #gates = new Map<string, Gate>();

  constructor(limits: Pick<GateLimits, "atOnce" | "waiting">) {
    this.#limits = { ...limits, perGroup: limits.waiting };
  }

  /**
   * Runs the work at the gate of this key.
   * @throws {GateFullError} as `Gate.run` does
   */
  async run<T>(key: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const gate = this.#gates.get(key) ?? new Gate(this.#limits);
    this.#gates.set(key, gate);
    try {
      return await gate.run(key, work, signal);
    } finally {
      if (gate.isIdle) this.#gates.delete(key);
    }
  }
}
