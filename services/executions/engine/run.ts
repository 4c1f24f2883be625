import type { Change } from "../../../adapters/store/port.ts";
import { advance, type Happening } from "../../../core/run/advance.ts";
import { nextWake, openQuestion } from "../../../core/run/waits.ts";
import type { CreatedEntry, StepEntry } from "../../../core/run/entry.ts";
import { incoming, nodeInput } from "../../../core/run/plan.ts";
import { isFinal, type RunState } from "../../../core/run/state.ts";
import type { Graph } from "../../../core/graph/graph.ts";
import { Executions, type ExecutionDoc } from "../model.ts";
import { Abort } from "./abort.ts";
import type { RunnableWorkflow } from "./definitions.ts";
import { ExecutionJournal } from "./journal.ts";
import type { EngineParts } from "./parts.ts";
import { perform } from "./perform.ts";

/** Waits up to this long are held in memory; for longer ones the worker is given back. */
const HOLD_MS = 1_000;

/** Why a run left this worker: it ended, it waits in the store, an append failed, or it was never stored at all. */
export type Leave = "ended" | "parked" | "lost" | "unborn";

/** What an execution that starts right here brings along: its document and entry 0 are stored with its first entries. */
export interface Opening {
  created: CreatedEntry;
  stored: () => void;
  failed: (error: unknown) => void;
}

/** One execution in the hands of this worker: performs its steps and appends what comes of them. */
export class Run {
  doc: ExecutionDoc;
  readonly state: RunState;
  private readonly graph: Graph;
  /** What expressions see of the execution and of its workflow. */
  private readonly execution: object;
  private readonly workflow: object;
  private readonly parts: EngineParts;
  private readonly journal: ExecutionJournal;
  private readonly onLeave: (run: Run, why: Leave, error?: unknown) => void;
  private readonly inbox: Happening[] = [];
  private readonly aborts = new Map<string, Abort>();
  private timer: NodeJS.Timeout | undefined;
  private appending = false;
  private left = false;

  constructor(
    doc: ExecutionDoc,
    state: RunState,
    workflow: RunnableWorkflow & { graph: Graph },
    parts: EngineParts,
    onLeave: (run: Run, why: Leave, error?: unknown) => void,
  ) {
    this.doc = doc;
    this.state = state;
    this.execution = { id: doc.id, attempt: doc.attempt, createdAt: doc.createdAt.toISOString() };
    this.workflow = { id: workflow.id, name: workflow.name, version: workflow.version };
    this.graph = workflow.graph;
    this.parts = parts;
    this.journal = new ExecutionJournal(parts.store, doc.workspaceId, doc.id);
    this.onLeave = onLeave;
  }

  /** Takes happenings in and goes on until nothing is left to append. `opening` comes with the very first of them. */
  async drive(happenings: Happening[], opening?: Opening): Promise<void> {
    this.inbox.push(...happenings);
    if (this.appending || this.left) return;
    this.appending = true;
    try {
      do {
        const around = { now: new Date().toISOString(), random: Math.random() };
        const entries = advance(this.graph, this.state, this.inbox.splice(0), around);
        await this.append(entries, opening);
        opening?.stored();
        opening = undefined;
        this.launch(entries);
        this.rest();
      } while (!this.left && this.inbox.length > 0);
    } catch (error) {
      opening?.failed(error);
      this.leave(opening ? "unborn" : "lost", error);
    } finally {
      this.appending = false;
    }
  }

  private async append(entries: StepEntry[], opening: Opening | undefined): Promise<void> {
    const { store, workerId, watch } = this.parts;
    const docs = store.tenant(Executions, this.doc.workspaceId);
    const change = this.projection(entries);
    const { $set = {}, $unset = {} } = change ?? {};
    const doc: ExecutionDoc = { ...this.doc, ...$set };
    for (const field of Object.keys($unset)) delete doc[field as keyof ExecutionDoc];
    // The journal first: where the two do not commit together, it is the truth and the projection follows it.
    const ops = this.journal.appends(opening ? [opening.created, ...entries] : entries);
    if (opening) ops.push(docs.ops.insert(doc));
    else if (change) ops.push(docs.ops.updateOne({ id: doc.id, workerId }, change));
    if (ops.length === 0) return;
    await store.write(ops);
    this.doc = doc;
    watch.announce(doc.id, this.state.seq);
  }

  /** What the projection has to learn from these entries; nothing while the run simply goes on. */
  private projection(entries: StepEntry[]): Change<ExecutionDoc> | null {
    const { state } = this;
    if (isFinal(state.status)) {
      const at = entries.at(-1)?.at;
      return {
        $set: {
          status: state.status,
          finishedAt: at ? new Date(at) : new Date(),
          error: state.error,
          startedAt: this.startedAt(),
        },
        $unset: { workerId: 1, suspension: 1, answer: 1 },
      };
    }
    const wake = nextWake(state);
    const sleepsLong = wake !== null && Date.parse(wake) - Date.now() > HOLD_MS;
    if (state.status === "suspended") {
      return {
        $set: {
          status: "suspended",
          suspension: openQuestion(state),
          startedAt: this.startedAt(),
          ...(wake && { wakeAt: new Date(wake) }),
        },
        $unset: { workerId: 1, answer: 1 },
      };
    }
    if (sleepsLong) {
      return { $set: { wakeAt: new Date(wake), startedAt: this.startedAt() }, $unset: { workerId: 1, answer: 1 } };
    }
    return this.doc.startedAt ? null : { $set: { startedAt: this.startedAt() } };
  }

  private startedAt(): Date | null {
    return this.state.startedAt ? new Date(this.state.startedAt) : null;
  }

  private launch(entries: StepEntry[]): void {
    if (this.left || isFinal(this.state.status)) return;
    for (const { event, nodeId } of entries) if (event === "step.started" && nodeId) this.performStep(nodeId);
  }

  private performStep(nodeId: string): void {
    const node = this.graph.byId.get(nodeId);
    if (!node || this.parts.isStopping()) return;
    const { doc, state } = this;
    const { expressions, fetch } = this.parts;
    const abort = new Abort();
    const started = performance.now();
    const result = perform({
      node,
      expressions,
      abort,
      workspaceId: doc.workspaceId,
      scope: {
        input: state.input,
        steps: state.steps,
        trigger: state.trigger,
        execution: this.execution,
        workflow: this.workflow,
      },
      context: {
        executionId: doc.id,
        nodeId,
        input: () => nodeInput(node, state),
        incoming: () => incoming(node, state),
        timeoutMs: node.policy.timeoutMs,
        fetch,
        get signal() {
          return abort.signal;
        },
      },
    });
    const settle = (settled: Awaited<typeof result>): Happening => {
      const durationMs = Math.round((performance.now() - started) * 1_000) / 1_000;
      return { kind: "result", nodeId, result: settled, durationMs };
    };
    if (!(result instanceof Promise)) {
      this.inbox.push(settle(result));
      return;
    }
    this.aborts.set(nodeId, abort);
    void result.then(settled => {
      this.aborts.delete(nodeId);
      // An aborted step says nothing of itself: the run was cancelled, or is handed over.
      if (!this.left) void this.drive([settle(settled)]);
    });
  }

  /** After each append: leaves when the store has the run, or sets the timer for what waits here. */
  private rest(): void {
    if (this.left || this.inbox.length > 0) return;
    if (isFinal(this.state.status)) return this.leave("ended");
    const wake = nextWake(this.state);
    if (this.state.status === "suspended") return this.leave("parked");
    if (wake !== null && Date.parse(wake) - Date.now() > HOLD_MS) return this.leave("parked");
    this.armTimer();
  }

  private armTimer(): void {
    clearTimeout(this.timer);
    const waiting = [...this.state.nodes].filter(([, node]) => node.status === "waiting" && node.until);
    if (waiting.length === 0) return;
    const next = Math.min(...waiting.map(([, node]) => Date.parse(node.until ?? "")));
    // The clock may be set back meanwhile, so what fires looks at the clock again.
    this.timer = setTimeout(
      () => {
        const now = new Date().toISOString();
        const due = waiting.filter(([, node]) => (node.until ?? "") <= now);
        if (due.length === 0) this.armTimer();
        else void this.drive(due.map(([nodeId]) => ({ kind: "due", nodeId })));
      },
      Math.min(Math.max(next - Date.now(), 0) + 1, 60_000),
    );
  }

  /** Ends what this worker does for the run; the journal stays as it is. */
  leave(why: Leave, error?: unknown): void {
    if (this.left) return;
    this.left = true;
    clearTimeout(this.timer);
    for (const abort of this.aborts.values()) abort.abort();
    this.onLeave(this, why, error);
  }

  /** Nothing of it runs here at this moment. */
  get isQuiet(): boolean {
    return !this.appending && this.aborts.size === 0;
  }
}
