import { setTimeout as sleep } from "node:timers/promises";
import { hint } from "../../../contracts/call.ts";
import { backoffMs } from "../../../core/backoff.ts";
import type { RunInput } from "../../../core/run/advance.ts";
import type { CreatedEntry } from "../../../core/run/entry.ts";
import { fold } from "../../../core/run/fold.ts";
import { isFinal, type RunState } from "../../../core/run/state.ts";
import { Executions, type ExecutionDoc } from "../store/model.ts";
import { Admission } from "./admission.ts";
import { Claims } from "./claims.ts";
import { Credentials } from "./credentials.ts";
import { WorkflowCache, type RunnableWorkflow } from "./workflow-cache.ts";
import { expireQuestions } from "./expire-questions.ts";
import { ExecutionJournal } from "../store/journal.ts";
import { Lease } from "./lease.ts";
import type { LeaveReason } from "./observer.ts";
import type { EngineLimits, EngineParts, GivenParts } from "./parts.ts";
import { fitsSchema } from "./fits-schema.ts";
import { QueueOrder } from "../store/queue-order.ts";
import { StreamedAnswers } from "./streamed-answers.ts";
import { OpenToolCalls } from "./tool-calls.ts";
import { leaveToNewer, inputsIfRunnable, refusalOf } from "./refusal.ts";
import { repairProjection } from "../store/repair-projection.ts";
import { inputsOnClaim } from "./resume.ts";
import { Run } from "./run.ts";
import type { StepContext } from "./steps/step.ts";
import { throttledWarn } from "../../../service-kit/throttled-warn.ts";
import type { Sweeper } from "../../../service-kit/sweeper.ts";
import { takeOverCancel } from "./take-over-cancel.ts";
import { startWakes } from "./wakes.ts";
import { Waiters, type Ended } from "./waiters.ts";

/** How long a stop waits for running steps before it hands their runs over. */
const GRACE_MS = 1_500;
/** The delays before an execution is read again after a failed append. */
const READ_AGAIN = { firstMs: 250, mostMs: 5_000 };

/** Runs executions on this node: claims them, holds them, and gives them back. */
export class Engine {
  readonly definitions: WorkflowCache;
  readonly waiters = new Waiters();
  private readonly parts: EngineParts;
  private readonly limits: EngineLimits;
  private readonly claims: Claims;
  private readonly lease: Lease;
  private wakes: Sweeper | undefined;
  private readonly admission: Admission;
  private readonly held = new Map<string, Run | "taking">();
  private readonly retakes = new Map<string, number>(); // consecutive failed appends, by execution
  private stopping = false;
  private stopped: Promise<void> | undefined;

  constructor(parts: GivenParts, limits: EngineLimits) {
    this.definitions = new WorkflowCache(parts.broker);
    this.parts = {
      ...parts,
      definitions: this.definitions,
      warn: throttledWarn(parts.logger),
      isStopping: () => this.stopping,
      ...{ queue: new QueueOrder(parts.store), credentials: new Credentials(parts.broker) },
      matching: { store: parts.store, fits: fitsSchema(parts.expressions) },
      ...{ toolCalls: new OpenToolCalls(parts.broker), modelWords: new StreamedAnswers(parts.watch) },
      queued: executionId => {
        this.claims.poke();
        hint(parts.broker, "one", "execution.queued", { executionId });
      },
    };
    this.limits = limits;
    this.admission = new Admission(this.parts);
    const room = () => limits.concurrency - this.held.size;
    this.lease = new Lease(this.parts, limits.leaseMs, {
      returned: () => this.claims.poke(),
      holds: id => this.held.has(id),
      held: () => [...this.held.keys()],
      cancelled: (id, how) => this.abort(id, how),
    });
    const mayFill = () => this.mayFill();
    this.claims = new Claims(this.parts, limits, { room, mayFill, take: doc => this.claimed(doc) });
  }

  async start(): Promise<void> {
    await this.lease.start();
    this.claims.start();
    this.wakes = startWakes(this.parts, () => this.claims.poke());
  }

  /** Stops claiming, lets steps finish for a moment, and hands the remaining executions over. */
  stop(): Promise<void> {
    return (this.stopped ??= this.handOver());
  }

  private async handOver(): Promise<void> {
    this.stopping = true;
    await Promise.all([this.claims.stop(), this.wakes?.stop()]);
    const deadline = Date.now() + GRACE_MS;
    const busy = () => [...this.held.values()].some(run => run === "taking" || !run.isQuiet);
    while (busy() && Date.now() < deadline) await sleep(10);
    for (const run of this.held.values()) if (run !== "taking") run.leave("parked");
    this.waiters.close();
    await this.lease.stop();
  }

  /** Whether a new execution may start here at once: there is room, nothing is queued, and no limit needs a count. */
  get hasRoom(): boolean {
    if (this.stopping || this.held.size >= this.limits.concurrency) return false;
    return this.claims.believesEmpty && !this.mayFill();
  }

  /** Whether all workers together could take a workspace over its limit. If not, executions need not be counted. */
  private mayFill(): boolean {
    return this.lease.workers * this.limits.concurrency > this.limits.perWorkspace;
  }

  /** Stores and begins a new execution in one write. Returns its end if it ended with it. Check `hasRoom` first. */
  begin(doc: ExecutionDoc, created: CreatedEntry, workflow: RunnableWorkflow): Promise<Ended | undefined> {
    return new Promise((stored, failed) => {
      const held = { ...doc, status: "running" as const, workerId: this.parts.workerId };
      const run = this.hold(held, fold([created]), workflow);
      void run.start(inputsIfRunnable(workflow, [{ kind: "begin" }]), { created, stored, failed });
    });
  }

  /** The parts of the engine that steps and signals may use. */
  get stepParts(): StepContext["parts"] & Pick<EngineParts, "matching"> {
    return this.parts;
  }

  get queue(): QueueOrder {
    return this.parts.queue;
  }

  poke(): void {
    this.claims.poke();
  }

  signalled(executionId: string): void {
    const run = this.held.get(executionId);
    if (run instanceof Run) void run.signal();
    else this.claims.poke();
  }

  /** Frees the concurrency slot of an execution that has ended, on this node or another. */
  release(doc: ExecutionDoc): Promise<void> {
    return this.admission.release(doc);
  }

  /** Reports that another node has advanced an execution. */
  heardOf(executionId: string): void {
    if (!this.held.has(executionId)) this.waiters.ended(executionId);
  }

  isHeld(executionId: string): boolean {
    return this.held.has(executionId);
  }

  /** Stops the steps of a cancelled execution. One that compensates is read again, unless it does so here already. */
  abort(executionId: string, { undoes = false } = {}): void {
    const run = this.held.get(executionId);
    if (run instanceof Run && !(undoes && run.state.undoing)) run.leave(undoes ? "lost" : "parked");
    if (!undoes) this.waiters.ended(executionId, null);
  }

  private hold(doc: ExecutionDoc, state: RunState, workflow: RunnableWorkflow): Run {
    const run = new Run(doc, state, workflow, this.parts, (left, why, error) => this.left(left, why, error));
    this.held.set(doc.id, run);
    return run;
  }

  /** A worker that others believed dead may claim an execution that it still holds. That execution simply goes on. */
  private claimed(doc: ExecutionDoc): void {
    if (!this.held.has(doc.id)) void this.parts.observer.within(doc, () => this.take(doc));
  }

  /**
   * Must never run twice at the same time for one execution, because the store could not tell the two apart. `failure`
   * ends the run when going on would only fail again.
   */
  private async take(doc: ExecutionDoc, failure?: RunInput): Promise<void> {
    this.held.set(doc.id, "taking");
    try {
      const { workspaceId, workflowId, workflowVersion } = doc;
      const [workflow, state] = await Promise.all([
        this.definitions.get(workspaceId, workflowId, workflowVersion),
        new ExecutionJournal(this.parts.store, workspaceId, doc.id).fold(),
      ]);
      if (isFinal(state.status)) {
        await repairProjection(this.parts.store, doc);
        this.letGo(doc.id, null);
        return this.parts.followUp(doc);
      }
      const mine = await takeOverCancel(this.parts, doc, state);
      if (!mine) return this.letGo(doc.id);
      doc = mine;
      if (!failure && state.startedAt === null) {
        const admitted = await this.admission.admit(doc, state, workflow);
        // The run waits for a concurrency slot; the store says so.
        if (!admitted) return this.letGo(doc.id);
        ({ doc, failure } = admitted);
      }
      if (!failure)
        doc = { ...(await expireQuestions(this.parts.store, doc, state, new Date().toISOString())), lost: doc.lost };
      const inputs = failure ? [failure] : await inputsOnClaim(this.parts, this.definitions, doc, state, workflow);
      await this.hold(doc, state, workflow).start(inputsIfRunnable(workflow, inputs));
    } catch (error) {
      if (await leaveToNewer(this.parts, doc, error)) return this.letGo(doc.id);
      this.parts.warn("An execution could not be resumed; Weft tries again.", error);
      void this.retake(doc);
    }
  }

  private left(run: Run, why: LeaveReason, error: unknown): void {
    const { doc, state } = run;
    if (this.held.get(doc.id) !== run) return;
    if (why === "lost") {
      if (error) this.parts.logger.debug(`Execution ${doc.id} could not be appended to; looking again.`, error);
      this.held.set(doc.id, "taking");
      void this.retake(doc, refusalOf(error));
      return;
    }
    this.letGo(doc.id, why === "ended" ? { doc, state } : undefined);
    if (doc.followUp || doc.tellAt) this.parts.followUp(doc);
    if (!this.stopping && !this.claims.believesEmpty) this.claims.poke();
  }

  /** Lets an execution go. Callers that wait here get its end, or look up where it is now. */
  private letGo(executionId: string, ended?: Ended): void {
    this.held.delete(executionId);
    this.retakes.delete(executionId);
    this.waiters.ended(executionId, ended);
  }

  /** After a failed append, the worker that holds the execution according to the store goes on from the journal. */
  private async retake(doc: ExecutionDoc, failure?: RunInput): Promise<void> {
    while (!this.stopping) {
      const retakes = (this.retakes.get(doc.id) ?? 0) + 1;
      this.retakes.set(doc.id, retakes);
      await sleep(backoffMs(READ_AGAIN, retakes), undefined, { ref: false });
      try {
        const now = await this.parts.store.tenant(Executions, doc.workspaceId).get({ id: doc.id });
        if (now?.workerId !== this.parts.workerId) break;
        // This worker held the execution all the time, so no worker was lost.
        return void this.take({ ...now, lost: false }, failure);
      } catch (error) {
        this.parts.warn("An execution could not be read; Weft tries again.", error);
      }
    }
    this.letGo(doc.id);
    this.claims.poke();
  }
}
