import { call, hint } from "../../../contracts/call.ts";
import { errorCode } from "../../../contracts/errors.ts";
import type { Store } from "../../../adapters/store/port.ts";
import { isFinal } from "../../../core/run/state.ts";
import { derivedId } from "../../../service-kit/derived-id.ts";
import { startSweeper, type Sweeper } from "../../../service-kit/sweeper.ts";
import { type Cancel, cancelExecution } from "../engine/cancel-execution.ts";
import { deliver } from "../store/deliver.ts";
import { Executions, type ExecutionDoc } from "../store/model.ts";
import { readExecution } from "../store/read-execution.ts";
import type { EngineService, FollowUpWork } from "../engine/service.ts";
import { createOnce } from "../engine/create-execution.ts";

const BATCH = 100;
const SWEEP_MS = 5_000;

/**
 * Performs the follow-ups of an execution that was suspended or has ended: its parent continues, its children are
 * cancelled, its error workflow starts, its slot is released. The write that suspends or ends an execution also marks
 * its document, so a sweep can finish the work of a killed worker. Each follow-up may run twice and takes effect once.
 */
export class FollowUps implements FollowUpWork {
  private readonly service: EngineService;
  private readonly underWay = new Map<string, Promise<void>>();
  /** Executions in `underWay` for which the follow-ups were requested again. */
  private readonly again = new Set<string>();
  private sweeper: Sweeper | undefined;
  private stopping = false;

  constructor(service: EngineService) {
    this.service = service;
  }

  start(): void {
    const failed = (error: unknown) =>
      this.service.logger.warn("Follow-ups could not be read; Weft tries again.", error);
    this.sweeper = startSweeper(() => this.sweep(), SWEEP_MS, failed);
    this.sweeper.soon();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.sweeper?.stop();
    await Promise.allSettled(this.underWay.values());
  }

  /** Starts the follow-ups without making the caller wait. */
  soon(doc: ExecutionDoc): void {
    if (this.stopping) return;
    // The current work may have read the document already, so it runs once more.
    if (this.underWay.has(doc.id)) this.again.add(doc.id);
    else void this.finish(doc).catch(() => undefined);
  }

  /**
   * Performs the follow-ups, including those that are requested meanwhile.
   * @throws {Error} when one of them fails; a sweep tries again
   */
  finish(doc: ExecutionDoc): Promise<void> {
    const before = this.underWay.get(doc.id) ?? Promise.resolve();
    const doing = before.catch(() => undefined).then(() => this.performAll(doc));
    this.underWay.set(doc.id, doing);
    const over = () => {
      if (this.underWay.get(doc.id) === doing) this.underWay.delete(doc.id);
    };
    return doing.finally(over);
  }

  private async performAll(doc: ExecutionDoc): Promise<void> {
    try {
      do {
        this.again.delete(doc.id);
        await this.perform(doc);
      } while (this.again.has(doc.id) && !this.stopping);
    } catch (error) {
      this.service.logger.warn(
        "A follow-up failed; Weft tries again.",
        { executionId: doc.id, workspaceId: doc.workspaceId },
        error,
      );
      throw error;
    }
  }

  private async sweep(): Promise<void> {
    const docs = this.store.acrossTenants(Executions);
    for (let after: string | null = null; ;) {
      const page = await docs.find({ followUp: true }, { sort: { id: 1 }, limit: BATCH, after });
      for (const doc of page.items) {
        if (this.stopping) return;
        await this.finish(doc).catch(() => undefined);
      }
      after = page.next;
      if (!after) return;
    }
  }

  private get store(): Store {
    return this.service.store;
  }

  private async perform({ id, workspaceId }: ExecutionDoc): Promise<void> {
    const docs = this.store.tenant(Executions, workspaceId);
    const doc = await docs.get({ id });
    if (!doc?.followUp) return;
    const { status, followUpId = null } = doc;
    // The execution then ends as cancelled and is marked for follow-ups again.
    if (doc.cancelling && !isFinal(status)) return this.cancel(doc, { cancelId: doc.cancelId });
    // The cancel was interrupted before it queued the execution.
    if (doc.undoes === "intended" && !isFinal(status))
      return this.cancel(doc, { cancelId: doc.cancelId, compensate: true });
    if (doc.parent) await this.tellParent(doc, doc.parent);
    if (isFinal(status)) await this.cancelChildren(doc);
    if (status === "failed" && !doc.forFailure) await this.startErrorWorkflow(doc);
    if (isFinal(status)) await this.service.engine.release(doc);
    // If the execution has changed meanwhile, it has a new `followUpId` and keeps its mark.
    await docs.updateOne({ id, followUp: true, followUpId }, { $unset: { followUp: 1, followUpId: 1, cancelling: 1 } });
  }

  private async tellParent({ id: childId, workspaceId }: ExecutionDoc, parent: NonNullable<ExecutionDoc["parent"]>) {
    const { executionId, nodeId, path } = parent;
    const signal = { kind: "child" as const, childId, nodeId, ...(path && { path }) };
    const known = await deliver(this.store, { workspaceId, id: executionId }, () => signal);
    if (known) this.announce(executionId);
  }

  /**
   * Notifies workers of a new signal. The worker that holds the execution takes the signal. If none holds it, workers
   * check the queue.
   */
  announce(executionId: string): void {
    this.service.engine.signalled(executionId);
    hint(this.service.broker, "all", "execution.signalled", { executionId });
  }

  private async cancelChildren({ id, workspaceId, status, undoes, compensation }: ExecutionDoc): Promise<void> {
    const compensate = compensation !== undefined && (status === "failed" || undoes !== undefined);
    const docs = this.store.tenant(Executions, workspaceId);
    const ofParent = { parentId: id };
    for (let after: string | null = null; ;) {
      const page = await docs.find(ofParent, { sort: { id: 1 }, limit: BATCH, after });
      for (const child of page.items) if (!isFinal(child.status)) await this.cancel(child, { compensate });
      after = page.next;
      if (!after) return;
    }
  }

  private async cancel(doc: ExecutionDoc, how: Cancel): Promise<void> {
    await cancelExecution(this.service, doc, how).catch((error: unknown) => {
      if (errorCode(error) !== "execution_finished" && errorCode(error) !== "not_found") throw error;
    });
  }

  /** Cancels an execution by id, unless it has ended. */
  async cancelById(workspaceId: string, id: string, compensate = false): Promise<void> {
    const doc = await this.store.tenant(Executions, workspaceId).get({ id });
    if (doc && !isFinal(doc.status)) await this.cancel(doc, { compensate });
  }

  private async startErrorWorkflow(doc: ExecutionDoc): Promise<void> {
    const { workspaceId, workflowId, workflowVersion, deployed = false, startedBy } = doc;
    const { parsed } = await this.service.engine.definitions.get(workspaceId, workflowId, workflowVersion);
    const errorWorkflowId = parsed.graph?.settings.errorWorkflowId;
    if (!errorWorkflowId) return;
    try {
      const wanted = {
        workspaceId,
        workflowId: errorWorkflowId,
        version: deployed ? ("deployed" as const) : undefined,
      };
      const { version, spaceId } = await call(this.service.broker, "workflows.runnable", wanted);
      await createOnce(this.service, {
        // The same id for every attempt, so that a failed run starts its error workflow once.
        id: derivedId(doc.finishedAt ?? doc.createdAt, `error of ${doc.id}`),
        workspaceId,
        spaceId,
        workflowId: errorWorkflowId,
        workflowVersion: version,
        startedBy,
        trigger: { type: "subworkflow", id: doc.id },
        attempt: 1,
        input: await readExecution(this.service, doc),
        deployed,
        forFailure: true,
      });
    } catch (error) {
      const code = errorCode(error);
      if (code !== "not_found" && code !== "workflow_trashed") throw error;
      this.service.logger.warn(
        `The error workflow ${errorWorkflowId} of execution ${doc.id} cannot be started: ${code}.`,
      );
    }
  }
}
