import { setTimeout as sleep } from "node:timers/promises";
import type { RunState } from "../../../core/run/state.ts";
import type { ExecutionDoc } from "../store/model.ts";

const MAX_WAITERS = 10_000;

/** A run that ended on this node, or null when the store must be asked. */
export type Ended = { doc: ExecutionDoc; state: RunState } | null;

/** Callers that wait for the end of an execution. */
export class Waiters {
  private readonly waiting = new Map<string, Set<(ended?: Ended) => void>>();
  private count = 0;
  private closed = false;

  /** Resolves when this node hears of the end of the execution, or after `ms` milliseconds with undefined. */
  wait(executionId: string, ms: number): Promise<Ended | undefined> {
    if (this.closed) return Promise.resolve(null);
    // A caller beyond the limit polls, like callers whose run is on another node.
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

  /** Wakes the callers that wait for this execution. Without `ended` they read from the store whether it has ended. */
  ended(executionId: string, ended?: Ended): void {
    const waiters = this.waiting.get(executionId);
    if (waiters) for (const finish of [...waiters]) finish(ended);
  }

  /** Wakes all callers, because this node stops. */
  close(): void {
    this.closed = true;
    for (const id of [...this.waiting.keys()]) this.ended(id, null);
  }
}
