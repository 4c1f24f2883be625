import { setTimeout as sleep } from "node:timers/promises";
import { v7 as uuid } from "uuid";
import type { Store, WriteOp } from "../../adapters/store/port.ts";
import { AppError } from "../../contracts/errors.ts";
import { isNotMatched, isUniqueConflict } from "../../mixins/store-conflicts.ts";
import { memoryTurns } from "./model.ts";

/** After so long without a sign of life whoever has the turn counts as gone, as a process that was killed is. */
const LEASE_MS = 4_000;
const RENEW_MS = 1_000;
/** How long a turn is waited for. */
const WAIT_MS = 30_000;
const LOOK_MS = { first: 5, longest: 200 };
/** Of one user in one process. */
const MAX_WAITING = 100;
/** A turn that was lost, or that others wrote in, is taken again so often. */
const MAX_TRIES = 4;

const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS);
const busy = () =>
  new AppError("unavailable", {
    detail: "Too many memories are being written at once. Try again.",
    retryAfterSeconds: 5,
  });

/** First in a `Store.write`: what comes behind it is written only as long as the turn is still one's own. */
export type Fence = () => WriteOp;

/** Lets those that change what is known of one user of a workspace do so one after another, on all nodes. */
export class Turns {
  readonly #store: Store;
  /** The end of the last one's turn, and how many wait, by workspace and user: in one process nobody has to look. */
  readonly #queues = new Map<string, { last: Promise<unknown>; waiting: number }>();

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Runs `work` when it is its turn; again where its fence, or a unique index, stopped what it wrote.
   * @throws AppError unavailable when it takes too long until then
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
    const beat = setInterval(() => {
      // Where it fails, another takes the turn, and the fence stops this one.
      turns.updateOne({ userId, holder }, extended()).catch(() => undefined);
    }, RENEW_MS);
    beat.unref();
    try {
      return await work(() => turns.ops.updateOne({ userId, holder }, extended(), { required: true }));
    } finally {
      clearInterval(beat);
      await turns.remove({ userId, holder }).catch(() => undefined);
    }
  }

  async #acquire(workspaceId: string, userId: string, holder: string): Promise<void> {
    const turns = this.#store.tenant(memoryTurns, workspaceId);
    const deadline = performance.now() + WAIT_MS;
    for (let pause = LOOK_MS.first; ; pause = Math.min(pause * 2, LOOK_MS.longest)) {
      const now = new Date();
      const until = leaseFrom(now);
      try {
        await turns.insert({ id: uuid(), workspaceId, userId, holder, until });
        return;
      } catch (error) {
        if (!isUniqueConflict(error)) throw error;
      }
      // A clock that was ahead and came back must not leave a turn that nobody lives to see the end of.
      const over = { $or: [{ until: { $lt: now } }, { until: { $gt: new Date(until.getTime() + WAIT_MS) } }] };
      if (await turns.updateOne({ userId, ...over }, { $set: { holder, until } })) return;
      if (performance.now() >= deadline) throw busy();
      await sleep(pause * (0.5 + Math.random()));
    }
  }
}
