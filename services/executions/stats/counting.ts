import type { Store } from "../../../adapters/store/port.ts";
import type { Warn } from "../../../mixins/throttled-warn.ts";
import { inTurns } from "../in-turns.ts";
import { countPage } from "./count-finished.ts";

/** How long one round may go on. */
const ROUND_MS = 500;

/** Counts finished runs on this node, one round at a time. */
export class Counting {
  private readonly store: Store;
  private readonly warn: Warn;
  private running: Promise<boolean> | null = null;
  private next: Promise<boolean> | null = null;

  constructor(store: Store, warn: Warn) {
    this.store = store;
    this.warn = warn;
  }

  /** Counts what has finished by now, or as much of it as half a second allows. Gives whether there may be more. */
  run(): Promise<boolean> {
    if (this.next) return this.next;
    if (!this.running) return this.begin();
    // The round under way may have looked already; the one behind it is for everybody who asks meanwhile.
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
      this.warn("Finished executions were not counted; a later sweep tries again.", error);
    let cursor: string | null = null;
    return inTurns(ROUND_MS, async () => {
      cursor = await countPage(this.store, cursor, failed);
      return cursor !== null;
    });
  }
}
