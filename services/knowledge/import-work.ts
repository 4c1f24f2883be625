import { v7 as uuid } from "uuid";
import { config } from "../../config.ts";
import { forAMoment } from "../../mixins/sweeper.ts";
import { keepHold, nextDueMs, take } from "./due-work.ts";
import { importFile } from "./import-files.ts";
import { type ImportDoc, imports } from "./model.ts";
import type { Self } from "./service.ts";

/** Of a node: while one file is read, for which there is one process, the entries of others are stored. */
const AT_ONCE = 3;
/** Of one workspace: the rest is for others, whenever they come. */
const OF_WORKSPACE = 2;

/** The imports that this node carries out. */
export class ImportWork {
  readonly #self: Self;
  /** The workspace of each. */
  readonly #underWay = new Map<Promise<void>, string>();

  constructor(self: Self) {
    this.#self = self;
  }

  /**
   * Begins those that wait, and those again that were cut off, as far as there is room: first of workspaces of which none is under
   * way here, so that whoever brings a thousand files holds up nobody else's. Not to be called twice at the same time.
   * Gives in how many milliseconds the next one is due, as when the hold of a node ends that was killed.
   */
  async begin(): Promise<number | undefined> {
    while (this.#underWay.size < AT_ONCE) {
      const holder = uuid();
      const some = this.#underWay.size > 0;
      const doc = (await this.#take(holder, 1)) ?? (some ? await this.#take(holder, OF_WORKSPACE) : undefined);
      if (!doc) return nextDueMs(this.#self.store.acrossTenants(imports), new Date());
      const work = this.#carryOut(doc, holder).finally(() => {
        this.#underWay.delete(work);
        this.#self.importing.soon();
      });
      this.#underWay.set(work, doc.workspaceId);
    }
    return undefined;
  }

  /** Waits as long as a sweeper does for what is under way; another node goes on with it after that. */
  stop(): Promise<void> {
    return forAMoment(Promise.all(this.#underWay.keys()));
  }

  /** The next one of a workspace that has fewer than `most` under way here. */
  async #take(holder: string, most: number): Promise<ImportDoc | undefined> {
    const busy = [...this.#underWay.values()];
    const except = [...new Set(busy)].filter(id => busy.filter(other => other === id).length >= most);
    const wanted = { now: new Date(), holder, holdMs: config().WORKER_LEASE_MS, limit: 1, except };
    const [doc] = await take(this.#self.store.acrossTenants(imports), wanted);
    return doc;
  }

  async #carryOut(doc: ImportDoc, holder: string): Promise<void> {
    const letGo = keepHold(this.#self.store.acrossTenants(imports), holder, [doc.id], config().WORKER_LEASE_MS);
    try {
      await importFile(this.#self, doc);
    } catch (error) {
      this.#self.warn("Work on knowledge was put off; its turn comes again.", error);
    } finally {
      letGo();
    }
  }
}
