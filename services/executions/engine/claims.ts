import { outsideScope } from "../../../telemetry/scope.ts";
import { Executions, type ExecutionDoc } from "../store/model.ts";
import type { EngineLimits, EngineParts } from "./parts.ts";

/** A hint triggers a claim at once. The poll finds executions whose hint was lost. */
const POLL_MS = 1_000;
const BATCH = 32;
/** The next batch is this many times larger after a batch in which every claim succeeded. */
const GROWTH = 4;

/** Takes queued executions for this worker, lowest order first, while it has room. */
export class Claims {
  private readonly parts: EngineParts;
  private readonly limits: EngineLimits;
  private readonly room: () => number;
  /** Whether all workers together could take a workspace over its limit. */
  private readonly mayFill: () => boolean;
  private readonly take: (doc: ExecutionDoc) => void;
  private timer: NodeJS.Timeout | undefined;
  private claiming: Promise<void> | undefined;
  private again = false;
  /**
   * How many executions this worker asks for at a time. It begins with one, because workers that look at the same
   * moment find the same executions. It grows while the queue fills each request.
   */
  private width = 1;
  private empty = false;

  constructor(
    parts: EngineParts,
    limits: EngineLimits,
    { room, mayFill, take }: { room: () => number; mayFill: () => boolean; take: (doc: ExecutionDoc) => void },
  ) {
    this.parts = parts;
    this.limits = limits;
    this.room = room;
    this.mayFill = mayFill;
    this.take = take;
  }

  start(): void {
    this.timer = setInterval(() => this.look(), POLL_MS);
    this.poke();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.claiming;
  }

  /** Whether this worker found nothing queued at its last look, and has heard of no queued execution since. */
  get believesEmpty(): boolean {
    return this.empty;
  }

  /**
   * Reports that an execution is queued, or may be. This saves time only: the poll finds every queued execution anyway.
   */
  poke(): void {
    this.empty = false;
    this.look();
  }

  private look(): void {
    this.again = true;
    // Claiming runs in its own trace, not in the trace of the request that triggered it.
    this.claiming ??= outsideScope(() => this.round())
      .catch((error: unknown) => this.parts.warn("Claiming failed; Weft tries again.", error))
      .finally(() => {
        this.claiming = undefined;
        if (this.again && !this.parts.isStopping()) this.look();
      });
  }

  private async round(): Promise<void> {
    while (this.again && !this.parts.isStopping()) {
      this.again = false;
      while (this.room() > 0 && !this.parts.isStopping()) {
        const { full, batch } = await this.saturation();
        const asked = Math.min(this.room(), batch, this.width);
        const found = await this.find(full, asked);
        const claimed = await Promise.all(found.map(({ id }) => this.claim(id)));
        const docs = claimed.filter(doc => doc !== null);
        this.width = Math.min(BATCH, docs.length === asked ? asked * GROWTH : docs.length + 1);
        const kept = await this.withinLimits(docs);
        kept.forEach(this.take);
        // Other workers claimed some of these first, so the head of the queue has changed.
        if (docs.length < found.length) continue;
        if (kept.length < asked) {
          this.empty = found.length === 0 && full.length === 0;
          break;
        }
      }
    }
  }

  /**
   * The workspaces at their limit, and the number of parallel claims that cannot take another workspace over its limit.
   */
  private async saturation(): Promise<{ full: string[]; batch: number }> {
    if (!this.mayFill()) return { full: [], batch: BATCH };
    const held = await this.held();
    const { perWorkspace } = this.limits;
    const full = Object.keys(held).filter(id => (held[id] ?? 0) >= perWorkspace);
    const left = Object.values(held).filter(count => count < perWorkspace);
    const tightest = Math.min(perWorkspace, ...left.map(count => perWorkspace - count));
    return { full, batch: Math.min(BATCH, tightest) };
  }

  private held(): Promise<Record<string, number>> {
    return this.parts.store.acrossTenants(Executions).tally({ workerId: { $exists: true } }, "workspaceId");
  }

  /**
   * Gives back claimed executions that take a workspace over its limit. Workers that claim at the same moment do not
   * see each other's claims beforehand. Afterwards the last of them sees all claims. An execution that is given back
   * keeps its place in the queue.
   */
  private async withinLimits(docs: ExecutionDoc[]): Promise<ExecutionDoc[]> {
    if (docs.length === 0 || !this.mayFill()) return docs;
    const held = await this.held();
    const over = docs.filter(({ workspaceId }) => {
      const count = held[workspaceId] ?? 0;
      held[workspaceId] = count - 1;
      return count > this.limits.perWorkspace;
    });
    if (over.length === 0) return docs;
    const { store, workerId } = this.parts;
    await store
      .acrossTenants(Executions)
      .updateMany(
        { id: { $in: over.map(doc => doc.id) }, workerId },
        { $set: { queued: true }, $unset: { workerId: 1 } },
      );
    return docs.filter(doc => !over.includes(doc));
  }

  /** The head of the queue, without the workspaces at their limit. One read, so an idle worker writes nothing. */
  private async find(full: string[], limit: number): Promise<ExecutionDoc[]> {
    const began = performance.now();
    const { items } = await this.parts.store
      .acrossTenants(Executions)
      .find({ queued: true, ...(full.length > 0 && { workspaceId: { $nin: full } }) }, { sort: { order: 1 }, limit });
    if (items.length === 0) this.parts.observer.claimed(performance.now() - began, false);
    return items;
  }

  /** Takes an execution, unless another worker was faster. */
  private async claim(id: string): Promise<ExecutionDoc | null> {
    const began = performance.now();
    const doc = await this.parts.store
      .acrossTenants(Executions)
      .updateOne(
        { id, queued: true },
        { $set: { workerId: this.parts.workerId, status: "running" }, $unset: { queued: 1, wakeAt: 1 } },
      );
    this.parts.observer.claimed(performance.now() - began, doc !== null);
    return doc;
  }
}
