import { setTimeout as sleep } from "node:timers/promises";
import { v7 as uuid } from "uuid";
import type { Store, WriteOp } from "../../adapters/store/port.ts";
import { AppError } from "../../contracts/errors.ts";
import { backoffMs } from "../../core/backoff.ts";
import { isNotMatched, isUniqueConflict } from "../../adapters/store/errors.ts";
import { renewEvery } from "../../service-kit/renew-every.ts";
import { memoryTurns } from "./model.ts";

/** A holder that has not renewed its turn for this long counts as dead. */
const LEASE_MS = 4_000;
const RENEW_MS = 1_000;
/** How long a request waits for its turn. */
const WAIT_MS = 30_000;
const LOOK = { firstMs: 5, mostMs: 200, spread: [0.5, 1.5] } as const;
/** The most waiting requests of one user in one process. */
const MAX_WAITING = 100;
/** How often a turn is taken again after it was lost, or after a unique index refused a write. */
const MAX_TRIES = 4;

const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS);
const busy = () =>
  new AppError("unavailable", {
    detail: "Too many memories are being written at once. Try again.",
    retryAfterSeconds: 5,
  });

/**
 * The first operation of a `Store.write`. The operations after it are applied only while this process holds the turn.
 */
export type Fence = () => WriteOp;

/** Makes requests that change a user's memories in a workspace take turns, across all nodes. */
export class UserLocks {
  readonly #store: Store;
  /**
   * The end of the last queued turn and the number of waiting requests, by workspace and user. Requests of one process
   * wait here and need not poll the store.
   */
  readonly #queues = new Map<string, { last: Promise<unknown>; waiting: number }>();

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Runs `work` when its turn comes, and again if the fence or a unique index refused its write.
   * @throws {AppError} unavailable when the wait takes too long
   */
  async take<T>(workspaceId: string, userId: string, work: (fence: Fence) => Promise<T>): Promise<T> {
    const key = `${workspaceId} ${userId}`;
    const queue = this.#queues.get(key) ?? { last: Promise.resolve(), waiting: 0 };
    if (queue.waiting >= MAX_WAITING) throw busy();
    this.#queues.set(key, queue);
    queue.waiting++;
    const mine = queue.last.then(() => this.#tries(workspaceId, userId, work));
    queue.last = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      if (--queue.waiting === 0) this.#queues.delete(key);
    }
  }

  async #tries<T>(workspaceId: string, userId: string, work: (fence: Fence) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#once(workspaceId, userId, work);
      } catch (error) {
        if (tries >= MAX_TRIES || !(isNotMatched(error) || isUniqueConflict(error))) throw error;
      }
    }
  }

  async #once<T>(workspaceId: string, userId: string, work: (fence: Fence) => Promise<T>): Promise<T> {
    const turns = this.#store.tenant(memoryTurns, workspaceId);
    const holder = uuid();
    await this.#acquire(workspaceId, userId, holder);
    const extended = () => ({ $set: { until: leaseFrom(new Date()) } });
    // If a renewal fails, another process takes the turn, and the fence stops this one.
    const release = renewEvery(RENEW_MS, () => turns.updateOne({ userId, holder }, extended()));
    try {
      return await work(() => turns.ops.updateOne({ userId, holder }, extended(), { required: true }));
    } finally {
      release();
      await turns.remove({ userId, holder }).catch(() => undefined);
    }
  }

  async #acquire(workspaceId: string, userId: string, holder: string): Promise<void> {
    const turns = this.#store.tenant(memoryTurns, workspaceId);
    const deadline = performance.now() + WAIT_MS;
    for (let looks = 1; ; looks++) {
      const now = new Date();
      const until = leaseFrom(now);
      try {
        await turns.insert({ id: uuid(), workspaceId, userId, holder, until });
        return;
      } catch (error) {
        if (!isUniqueConflict(error)) throw error;
      }
      // If a clock was ahead and is corrected, a turn may seem to end far in the future. Such a turn counts as over.
      const over = { $or: [{ until: { $lt: now } }, { until: { $gt: new Date(until.getTime() + WAIT_MS) } }] };
      if (await turns.updateOne({ userId, ...over }, { $set: { holder, until } })) return;
      if (performance.now() >= deadline) throw busy();
      await sleep(backoffMs(LOOK, looks, Math.random()));
    }
  }
}
