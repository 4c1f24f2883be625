import type { Store } from "../../../adapters/store/port.ts";
import { isFinal } from "../../../core/run/state.ts";
import { Executions } from "../store/model.ts";

/** How often executions of other nodes are looked up while callers wait for them. */
export const LOOK_MS = 500;
const AT_ONCE = 1_000;

interface Look {
  readonly ids: Set<string>;
  readonly done: PromiseWithResolvers<void>;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Checks whether executions have ended that other nodes hold and that callers here wait for. All callers share one
 * query.
 */
export class RemoteEnds {
  readonly #store: Store;
  readonly #ended: (executionId: string) => void;
  #next: Look | undefined;

  /** @param ended called with the id of each execution that has ended or no longer exists */
  constructor(store: Store, ended: (executionId: string) => void) {
    this.#store = store;
    this.#ended = ended;
  }

  /**
   * Joins the next look-up. It begins within half a second, or with `soon` at the end of this turn of the event loop.
   * Resolves when it is over.
   * @throws {StoreError}
   */
  look(executionId: string, { soon }: { soon: boolean }): Promise<void> {
    const look = (this.#next ??= this.#begin());
    look.ids.add(executionId);
    if (soon && look.timer) {
      clearTimeout(look.timer);
      look.timer = undefined;
      setImmediate(() => void this.#send(look));
    }
    return look.done.promise;
  }

  #begin(): Look {
    const look: Look = { ids: new Set(), done: Promise.withResolvers<void>(), timer: undefined };
    look.timer = setTimeout(() => void this.#send(look), LOOK_MS).unref();
    // Prevents an unhandled rejection if the callers no longer wait.
    look.done.promise.catch(() => undefined);
    return look;
  }

  async #send(look: Look): Promise<void> {
    if (this.#next === look) this.#next = undefined;
    try {
      const ids = [...look.ids];
      for (let from = 0; from < ids.length; from += AT_ONCE) {
        const some = ids.slice(from, from + AT_ONCE);
        const { items } = await this.#store.acrossTenants(Executions).find({ id: { $in: some } }, { limit: AT_ONCE });
        const open = new Set(items.filter(({ status }) => !isFinal(status)).map(({ id }) => id));
        for (const id of some) if (!open.has(id)) this.#ended(id);
      }
      look.done.resolve();
    } catch (error) {
      look.done.reject(error);
    }
  }
}
