import { createHash } from "node:crypto";
import { ExpressionError } from "../../../core/expressions/expression-error.ts";
import type { Settings } from "../../../core/graph/settings.ts";
import type { RunInput } from "../../../core/run/advance.ts";
import type { RunState } from "../../../core/run/state.ts";
import { Executions, Slots, type ExecutionDoc } from "../store/model.ts";
import { takeFreeSlot } from "../store/slots.ts";
import { variablesFor } from "./step-scope.ts";
import type { RunnableWorkflow } from "./workflow-cache.ts";
import type { EngineParts } from "./parts.ts";
import { runInfoOf } from "./perform-at.ts";

type Concurrency = NonNullable<Settings["concurrency"]>;

/**
 * How often the first waiting run of a group looks for a free slot by itself, in case a hint was lost. The runs behind
 * it look rarely, in case the first run is gone.
 */
const LOOK_AGAIN_MS = 15_000;
const LOOK_SELDOM_MS = 3_600_000;
/** How many runs a new run may cancel. Other new runs may take the slot that a cancellation frees. */
const MAX_CANCELLED = 5;
const MAX_KEY_CHARS = 1_000;

/** A run that may begin, with its current document. If `failure` is set, it ends the run instead. */
export interface Admitted {
  doc: ExecutionDoc;
  failure?: RunInput;
}

/**
 * Enforces the limits on concurrent runs that workflows set for themselves. Each admitted run holds one of `limit`
 * slots until it ends, also while it waits. Slots are documents with unique ids, so workers cannot exceed the limit
 * together.
 */
export class Admission {
  private readonly parts: EngineParts;

  constructor(parts: EngineParts) {
    this.parts = parts;
  }

  /** Returns null when the run has to wait. The store then marks it as waiting, and this worker no longer holds it. */
  async admit(doc: ExecutionDoc, state: RunState, workflow: RunnableWorkflow): Promise<Admitted | null> {
    const concurrency = workflow.parsed.graph?.settings.concurrency;
    if (!concurrency) return { doc };
    let group: string;
    try {
      group = doc.group ?? (await this.groupOf(concurrency, doc, state, workflow));
    } catch (error) {
      if (!(error instanceof ExpressionError) || error.code === "expression_busy") throw error;
      const message = `settings.concurrency.key: ${error.reason}`;
      return { doc, failure: { kind: "fail", error: { code: error.code, message } } };
    }
    if (await this.acquire(doc, group, concurrency)) {
      const { store, workerId } = this.parts;
      const held = await store
        .tenant(Executions, doc.workspaceId)
        .updateOne({ id: doc.id, workerId }, { $set: { group } });
      // Several slots may have become free at once, but a release wakes only one run. So each admitted run wakes the
      // next.
      await this.wakeFirst(doc.workspaceId, group);
      return held && { doc: held };
    }
    if (concurrency.onLimit === "skip") {
      const message = `The concurrency limit is reached: ${concurrency.limit} runs of this workflow are in progress.`;
      return { doc, failure: { kind: "cancel", error: { code: "concurrency_limit", message } } };
    }
    await this.wait(doc, group, concurrency);
    return null;
  }

  private async groupOf({ key }: Concurrency, doc: ExecutionDoc, state: RunState, workflow: RunnableWorkflow) {
    const vars = key?.uses?.readsVars ? await variablesFor(key.uses, doc, this.parts.broker) : undefined;
    const scope = { input: state.input, steps: {}, trigger: state.trigger, vars, ...runInfoOf(doc, workflow) };
    const value = key ? await this.parts.expressions.resolve(key, scope, { group: doc.workspaceId }) : "";
    const text = (typeof value === "string" ? value : JSON.stringify(value)).slice(0, MAX_KEY_CHARS);
    return createHash("sha256").update(`${doc.workflowId}\n${text}`).digest("hex").slice(0, 32);
  }

  private async acquire(doc: ExecutionDoc, group: string, { limit, onLimit }: Concurrency): Promise<boolean> {
    const { store } = this.parts;
    const slots = store.tenant(Slots, doc.workspaceId);
    const free = { workspaceId: doc.workspaceId, group, prefix: group, limit, graceMs: 0 };
    if ((await slots.get({ group, executionId: doc.id })) || (await this.isBelowAnother(doc, group))) return true;
    const first = await this.firstWaiting(doc.workspaceId, group);
    // The run that has waited longest comes first, unless `cancel_oldest` lets new runs replace older ones.
    if (first && first.id < doc.id && onLimit !== "cancel_oldest") return false;
    for (let cancelled = 0; ; cancelled++) {
      if ((await takeFreeSlot(store, free, doc.id)) !== null) return true;
      if (onLimit !== "cancel_oldest" || cancelled >= MAX_CANCELLED) return false;
      const [oldest] = (await slots.find({ group }, { sort: { takenAt: 1 }, limit: 1 })).items;
      if (!oldest) continue;
      await this.parts.cancel(doc.workspaceId, oldest.executionId);
      await slots.remove({ group, executionId: oldest.executionId });
    }
  }

  /**
   * Whether an ancestor of this run is in the same group. The ancestor waits for this run, so if this run waited for a
   * slot, neither would ever go on.
   */
  private async isBelowAnother({ workspaceId, parentId }: ExecutionDoc, group: string): Promise<boolean> {
    const docs = this.parts.store.tenant(Executions, workspaceId);
    for (let id = parentId; id !== undefined;) {
      const above = await docs.get({ id });
      if (above?.group === group) return true;
      id = above?.parentId;
    }
    return false;
  }

  private async firstWaiting(workspaceId: string, group: string): Promise<ExecutionDoc | undefined> {
    const waiting = { group, status: "pending" as const, startedAt: null };
    const docs = this.parts.store.tenant(Executions, workspaceId);
    return (await docs.find(waiting, { sort: { id: 1 }, limit: 1 })).items[0];
  }

  private async wake({ id, workspaceId }: ExecutionDoc): Promise<void> {
    const { store, queue } = this.parts;
    const waits = { id, status: "pending" as const, startedAt: null, workerId: null, queued: null };
    await queue.insert(workspaceId, order =>
      store.tenant(Executions, workspaceId).updateOne(waits, { $set: { queued: true, order }, $unset: { wakeAt: 1 } }),
    );
    this.parts.queued(id);
  }

  private async wait(doc: ExecutionDoc, group: string, { limit }: Concurrency): Promise<void> {
    const { store, workerId } = this.parts;
    const first = await this.firstWaiting(doc.workspaceId, group);
    const lookMs = first && first.id < doc.id ? LOOK_SELDOM_MS : LOOK_AGAIN_MS;
    const waiting = await store.tenant(Executions, doc.workspaceId).updateOne(
      { id: doc.id, workerId },
      {
        $set: { status: "pending", group, wakeAt: new Date(Date.now() + lookMs) },
        $unset: { workerId: 1 },
      },
    );
    // A slot that was released before this run was stored as waiting has woken no run.
    const taken = await store.tenant(Slots, doc.workspaceId).count({ group }, { limit });
    if (waiting && taken < limit) await this.wakeFirst(doc.workspaceId, group);
  }

  private async wakeFirst(workspaceId: string, group: string): Promise<void> {
    const first = await this.firstWaiting(workspaceId, group);
    if (first) await this.wake(first);
  }

  /** Releases the slot of an execution that has ended, and wakes the run that has waited longest. */
  async release({ id, workspaceId, group }: ExecutionDoc): Promise<void> {
    if (group === undefined) return;
    await this.parts.store.tenant(Slots, workspaceId).remove({ group, executionId: id });
    await this.wakeFirst(workspaceId, group);
  }
}
