import { setTimeout as sleep } from "node:timers/promises";
import type { RunState } from "../../../core/run/state.ts";
import type { ExecutionDoc } from "../model.ts";

const MAX_WAITERS = 10_000;

/** An ended run, where it ended on this node; null where the store has to be asked. */
export type Ended = { doc: ExecutionDoc; state: RunState } | null;

/** Callers that wait for the end of an execution. */
export class Waiters {
  private readonly waiting = new Map<string, Set<(ended?: Ended) => void>>();
  private count = 0;
  private closed = false;

  /** Resolves when this node hears of an end, or after `ms` with undefined. */
  wait(executionId: string, ms: number): Promise<Ended | undefined> {
    if (this.closed) return Promise.resolve(null);
    // Who is one too many looks for himself, as often as those do who wait for another node.
    if (this.count >= MAX_WAITERS) return sleep(Math.min(ms, 1_000), undefined);
    this.count++;
    return new Promise(resolve => {
      const waiters = this.waiting.get(executionId) ?? new Set();
      this.waiting.set(executionId, waiters);
      const finish = (ended?: Ended) => {
        clearTimeout(timer);
        if (!waiters.delete(finish)) return;
        this.count--;
        if (waiters.size === 0) this.waiting.delete(executionId);
        resolve(ended);
      };
      const timer = setTimeout(finish, ms);
      waiters.add(finish);
    });
  }

  /** Wakes those who wait for this execution; without `ended` they look for themselves whether it has. */
  ended(executionId: string, ended?: Ended): void {
    const waiters = this.waiting.get(executionId);
    if (waiters) for (const finish of [...waiters]) finish(ended);
  }

  /** This node stops: nobody waits here any more. */
  close(): void {
    this.closed = true;
    for (const id of [...this.waiting.keys()]) this.ended(id, null);
  }
}
