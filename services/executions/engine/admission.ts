import { createHash } from "node:crypto";
import { UniqueConflictError } from "../../../adapters/store/errors.ts";
import { ExpressionError } from "../../../core/expressions/expression-error.ts";
import type { Settings } from "../../../core/graph/settings.ts";
import type { Happening } from "../../../core/run/advance.ts";
import { isFinal, type RunState } from "../../../core/run/state.ts";
import { Executions, Slots, type ExecutionDoc } from "../model.ts";
import type { RunnableWorkflow } from "./definitions.ts";
import type { EngineParts } from "./parts.ts";
import { aboutRun } from "./perform-at.ts";
import { headOrder } from "./queue-order.ts";

type Concurrency = NonNullable<Settings["concurrency"]>;

/** A run whose turn was not announced looks for itself as often. */
const LOOK_AGAIN_MS = 15_000;
/** Runs that are cancelled for one that comes; between two of them others may have come as well. */
const MAX_CANCELLED = 5;
const MAX_KEY_CHARS = 1_000;

/** May it begin, and with which document; `failure` ends it instead. */
export interface Admitted {
  doc: ExecutionDoc;
  failure?: Happening;
}

/**
 * Keeps to the limits on concurrent runs that workflows set for themselves. Each run that goes on holds one of `limit` slots,
 * documents whose ids are unique, so no two workers can go beyond it; it holds it until it has ended, also while it waits.
 */
export class Admission {
  private readonly parts: EngineParts;

  constructor(parts: EngineParts) {
    this.parts = parts;
  }

  /** Null where it has to wait: the store says so, and this worker no longer holds it. */
  async admit(doc: ExecutionDoc, state: RunState, workflow: RunnableWorkflow): Promise<Admitted | null> {
    const concurrency = workflow.parsed.graph?.settings.concurrency;
    if (!concurrency) return { doc };
    let group: string;
    try {
      group = doc.group ?? (await this.groupOf(concurrency, doc, state, workflow));
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      const message = `settings.concurrency.key: ${error.reason}`;
      return { doc, failure: { kind: "fail", error: { code: error.code, message } } };
    }
    if (await this.acquire(doc, group, concurrency)) {
      const { store, workerId } = this.parts;
      const held = await store
        .tenant(Executions, doc.workspaceId)
        .updateOne({ id: doc.id, workerId }, { $set: { group } });
      return held && { doc: held };
    }
    if (concurrency.onLimit === "skip") {
      const message = `${concurrency.limit} runs of this workflow go on already, as many as its settings allow.`;
      return { doc, failure: { kind: "cancel", error: { code: "concurrency_limit", message } } };
    }
    await this.wait(doc, group, concurrency);
    return null;
  }

  private async groupOf({ key }: Concurrency, doc: ExecutionDoc, state: RunState, workflow: RunnableWorkflow) {
    const scope = { input: state.input, steps: {}, trigger: state.trigger, ...aboutRun(doc, workflow) };
    const value = key ? await this.parts.expressions.resolve(key, scope, { group: doc.workspaceId }) : "";
    const text = (typeof value === "string" ? value : JSON.stringify(value)).slice(0, MAX_KEY_CHARS);
    return createHash("sha256").update(`${doc.workflowId}\n${text}`).digest("hex").slice(0, 32);
  }

  private async acquire(doc: ExecutionDoc, group: string, { limit, onLimit }: Concurrency): Promise<boolean> {
    const slots = this.parts.store.tenant(Slots, doc.workspaceId);
    if (await slots.get({ group, executionId: doc.id })) return true;
    const first = await this.firstWaiting(doc.workspaceId, group);
    // Whoever waits for longer comes first; but for those who push the others out.
    if (first && first.id < doc.id && onLimit !== "cancel_oldest") {
      await this.wake(first);
      return false;
    }
    for (let cancelled = 0; ; cancelled++) {
      if (await this.takeFree(doc, group, limit)) return true;
      if (onLimit !== "cancel_oldest" || cancelled >= MAX_CANCELLED) return false;
      const [oldest] = (await slots.find({ group }, { sort: { takenAt: 1 }, limit: 1 })).items;
      if (!oldest) continue;
      await this.parts.cancel(doc.workspaceId, oldest.executionId);
      await slots.remove({ group, executionId: oldest.executionId });
    }
  }

  private async takeFree({ id, workspaceId }: ExecutionDoc, group: string, limit: number): Promise<boolean> {
    const slots = this.parts.store.tenant(Slots, workspaceId);
    const { items } = await slots.find({ group }, { limit: 1_000 });
    const taken = new Set(items.map(slot => slot.id));
    for (const { id: slotId, executionId } of taken.size >= limit ? items : []) {
      if (!(await this.isStale(workspaceId, executionId))) continue;
      await slots.remove({ id: slotId, executionId });
      taken.delete(slotId);
    }
    for (let place = 0; place < limit && taken.size < limit; place++) {
      const slot = { id: `${group}:${place}`, workspaceId, group, executionId: id, takenAt: new Date() };
      if (taken.has(slot.id)) continue;
      try {
        await slots.insert(slot);
        return true;
      } catch (error) {
        if (!(error instanceof UniqueConflictError)) throw error;
        taken.add(slot.id);
      }
    }
    return false;
  }

  /** A slot whose run has ended without giving it back. */
  private async isStale(workspaceId: string, executionId: string): Promise<boolean> {
    const doc = await this.parts.store.tenant(Executions, workspaceId).get({ id: executionId });
    return !doc || isFinal(doc.status);
  }

  private async firstWaiting(workspaceId: string, group: string): Promise<ExecutionDoc | undefined> {
    const waiting = { group: { $exists: true, $eq: group }, status: "pending" as const, startedAt: null };
    const docs = this.parts.store.tenant(Executions, workspaceId);
    return (await docs.find(waiting, { sort: { id: 1 }, limit: 1 })).items[0];
  }

  private async wake({ id, workspaceId }: ExecutionDoc): Promise<void> {
    const { store } = this.parts;
    const order = (await headOrder(store)) ?? 0;
    const woken = await store
      .tenant(Executions, workspaceId)
      .updateOne(
        { id, status: "pending", startedAt: null, workerId: null, queued: null },
        { $set: { queued: true, order }, $unset: { wakeAt: 1 } },
      );
    if (woken) this.parts.queued(id);
  }

  private async wait(doc: ExecutionDoc, group: string, { limit }: Concurrency): Promise<void> {
    const { store, workerId } = this.parts;
    const waiting = await store.tenant(Executions, doc.workspaceId).updateOne(
      { id: doc.id, workerId },
      {
        $set: { status: "pending", group, wakeAt: new Date(Date.now() + LOOK_AGAIN_MS) },
        $unset: { workerId: 1 },
      },
    );
    // A slot that was given back before this one was seen to wait was announced to nobody.
    const taken = await store.tenant(Slots, doc.workspaceId).count({ group }, { limit });
    if (!waiting || taken >= limit) return;
    const first = await this.firstWaiting(doc.workspaceId, group);
    if (first) await this.wake(first);
  }

  /** Gives back what an execution held that has ended, to whoever waits for longest. */
  async release({ id, workspaceId, group }: ExecutionDoc): Promise<void> {
    if (group === undefined) return;
    await this.parts.store.tenant(Slots, workspaceId).remove({ group, executionId: id });
    const first = await this.firstWaiting(workspaceId, group);
    if (first) await this.wake(first);
  }
}
