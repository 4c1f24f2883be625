import { v7 as uuid } from "uuid";
import { config } from "../../../config.ts";
import { waitBriefly } from "../../../service-kit/sweeper.ts";
import { keepHold, nextDueMs, takeDue } from "../due-work.ts";
import { importFile } from "./import-file.ts";
import { type ImportDoc, imports } from "../model.ts";
import type { Self } from "../service.ts";

/**
 * How many imports one node runs at the same time. While its reader process reads one file, it can store the entries of
 * others.
 */
const AT_ONCE = 3;
/** How many imports of one workspace run at the same time. The other places are for other workspaces. */
const PER_WORKSPACE = 2;

/** The imports in progress on this node. */
export class ImportWork {
  readonly #self: Self;
  /** Imports in progress, with their workspaces. */
  readonly #underWay = new Map<Promise<void>, string>();

  constructor(self: Self) {
    this.#self = self;
  }

  /**
   * Begins waiting imports and resumes interrupted ones while there is room. Workspaces without a current import on
   * this node come first, so that one with a thousand files does not delay the others. Must not be called concurrently.
   * Returns the milliseconds until the next import is due, for example when a dead node's hold ends.
   */
  async begin(): Promise<number | undefined> {
    while (this.#underWay.size < AT_ONCE) {
      const holder = uuid();
      const some = this.#underWay.size > 0;
      const doc = (await this.#take(holder, 1)) ?? (some ? await this.#take(holder, PER_WORKSPACE) : undefined);
      if (!doc) return nextDueMs(this.#self.store.acrossTenants(imports), new Date());
      const work = this.#carryOut(doc, holder).finally(() => {
        this.#underWay.delete(work);
        this.#self.importing.soon();
      });
      this.#underWay.set(work, doc.workspaceId);
    }
    return undefined;
  }

  /** Waits for current imports for as long as a sweeper does. After that, another node continues them. */
  stop(): Promise<void> {
    return waitBriefly(Promise.all(this.#underWay.keys()));
  }

  /** The next import of a workspace that has fewer than `most` current imports on this node. */
  async #take(holder: string, most: number): Promise<ImportDoc | undefined> {
    const busy = [...this.#underWay.values()];
    const except = [...new Set(busy)].filter(id => busy.filter(other => other === id).length >= most);
    const wanted = { now: new Date(), holder, holdMs: config().WORKER_LEASE_MS, limit: 1, except };
    const [doc] = await takeDue(this.#self.store.acrossTenants(imports), wanted);
    return doc;
  }

  async #carryOut(doc: ImportDoc, holder: string): Promise<void> {
    const letGo = keepHold(this.#self.store.acrossTenants(imports), holder, [doc.id], config().WORKER_LEASE_MS);
    try {
      await importFile(this.#self, doc);
    } catch (error) {
      this.#self.warn("Work on knowledge failed; Weft tries again.", error);
    } finally {
      letGo();
    }
  }
}
