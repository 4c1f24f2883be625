import { hint } from "../../../contracts/call.ts";
import type { Execution, LogEntry } from "../../../contracts/entities/execution.ts";
import { MAX_PAGE } from "../../../contracts/primitives.ts";
import { backoffMs } from "../../../core/backoff.ts";
import { WakeUp } from "../events/wake-up.ts";
import type { McpCaller } from "./caller.ts";

/** A hint can be lost, so a wait reads the run at least this often. */
const POLL_MS = 1_000;
/**
 * How often the gateway tells the worker of an awaited run that it has followers. The worker then reports entries for a
 * little longer.
 */
const WATCH_MS = 10_000;
const WATCH_FOR_MS = 15_000;
/** The pauses between two reads. They start short, for short runs. */
const GAP = { firstMs: 1, mostMs: 100 };

/** Whether the run has ended, or waits for the answer of a person. */
const isSettled = ({ status, finishedAt }: Execution) => finishedAt !== null || status === "suspended";

export interface Wait {
  spaceId: string;
  id: string;
  waitMs: number;
  /** Aborts the wait. The run goes on. */
  signal: AbortSignal;
  /** Called with new entries of the run's log during the wait. */
  onEntries?: ((entries: LogEntry[]) => Promise<void>) | undefined;
}

/** The waits of this node for runs. The runs may be on other nodes. */
export class RunWaits {
  readonly #bells = new Map<string, Set<WakeUp>>();
  #closed = false;

  /** Handles a hint about new entries of this execution. */
  heard(executionId: string): void {
    this.#bells.get(executionId)?.forEach(bell => bell.ring());
  }

  /** Ends every wait with the current state of its run. */
  close(): void {
    this.#closed = true;
    for (const bells of this.#bells.values()) bells.forEach(bell => bell.ring());
  }

  /**
   * Returns the execution when it ends or asks a question, or its state after `waitMs`.
   * @throws {AppError} not_found when there is no such execution
   */
  async until(session: McpCaller, wait: Wait): Promise<Execution> {
    const { id } = wait;
    const signals = [wait.signal, session.gone];
    const bell = new WakeUp();
    const ring = () => bell.ring();
    this.#bells.set(id, (this.#bells.get(id) ?? new Set()).add(bell));
    for (const signal of signals) signal.addEventListener("abort", ring, { once: true });
    try {
      return await this.#look(session, wait, bell);
    } finally {
      for (const signal of signals) signal.removeEventListener("abort", ring);
      const bells = this.#bells.get(id);
      bells?.delete(bell);
      if (bells?.size === 0) this.#bells.delete(id);
    }
  }

  async #look(session: McpCaller, { spaceId, id, waitMs, signal, onEntries }: Wait, bell: WakeUp): Promise<Execution> {
    const began = performance.now();
    const over = () => signal.aborted || session.gone.aborted || this.#closed;
    let watchedAt = -Infinity;
    let seen = 0;
    for (let reads = 1; ; reads++) {
      const now = performance.now();
      if (waitMs > 0 && now - watchedAt >= WATCH_MS) {
        watchedAt = now;
        hint(session.broker, "all", "execution.watched", { executionId: id, forMs: WATCH_FOR_MS });
      }
      const execution = await session.act("executions.get", { spaceId, id });
      if (onEntries) {
        const { items } = await session.act("executions.logs", { spaceId, id, after: seen, limit: MAX_PAGE });
        seen = items.at(-1)?.seq ?? seen;
        if (items.length > 0) await onEntries(items);
      }
      const left = began + waitMs - performance.now();
      if (isSettled(execution) || left <= 0 || over()) return execution;
      await bell.wait(Math.min(POLL_MS, left));
      const rest = backoffMs(GAP, reads) - (performance.now() - now);
      if (rest > 0 && !over()) await new Promise(resolve => setTimeout(resolve, rest));
      // The worker that runs the execution may be stopping too.
      if (over()) return execution;
    }
  }
}
