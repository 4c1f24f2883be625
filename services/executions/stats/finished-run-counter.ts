import type { Store } from "../../../adapters/store/port.ts";
import type { Warn } from "../../../service-kit/throttled-warn.ts";
import { repeatWithPauses } from "../../../service-kit/repeat-with-pauses.ts";
import { countPage } from "./count-finished.ts";

/** The time limit of one round. */
const ROUND_MS = 500;

/** Counts finished runs on this node, one round at a time. */
export class FinishedRunCounter {
  private readonly store: Store;
  private readonly warn: Warn;
  private running: Promise<boolean> | null = null;
  private next: Promise<boolean> | null = null;

  constructor(store: Store, warn: Warn) {
    this.store = store;
    this.warn = warn;
  }

  /** Counts the runs that have finished by now, for at most half a second. Returns whether there may be more. */
  run(): Promise<boolean> {
    if (this.next) return this.next;
    if (!this.running) return this.begin();
    // The current round may have read already, so all callers that ask meanwhile share the next round.
    const begin = () => this.begin();
    return (this.next = this.running.then(begin, begin));
  }

  private begin(): Promise<boolean> {
    this.next = null;
    this.running = this.round().finally(() => (this.running = null));
    return this.running;
  }

  private async round(): Promise<boolean> {
    const failed = (error: unknown) =>
      this.warn("Finished executions could not be counted; a later sweep tries again.", error);
    let cursor: string | null = null;
    return repeatWithPauses(ROUND_MS, async () => {
      cursor = await countPage(this.store, cursor, failed);
      return cursor !== null;
    });
  }
}
