import type { WorkflowGraph } from "../../../core/graph/graph.ts";
import type { StepEntry, StepResult } from "../../../core/run/entry.ts";
import { nodeAt, type Address } from "../../../core/run/frame.ts";
import type { RunState } from "../../../core/run/state.ts";
import { counter, gauge, histogram } from "../../../telemetry/instruments.ts";
import { currentScope, type Scope, withScope } from "../../../telemetry/scope.ts";
import { endSpan, tracing } from "../../../telemetry/tracing.ts";
import type { OpenSpan } from "../../../telemetry/tracing-port.ts";
import type { EngineObserver, LeaveReason, Performed, RunObserver } from "./observer.ts";
import { RecentEnds } from "./recent-ends.ts";
import type { ExecutionDoc } from "../store/model.ts";

const claims = histogram("weft_claim_duration_seconds");
const appends = histogram("weft_journal_append_seconds")();
const steps = histogram("weft_step_duration_seconds");
const retries = counter("weft_step_retries_total");
const waits = histogram("weft_execution_wait_seconds")();
const durations = histogram("weft_execution_duration_seconds");
const started = counter("weft_executions_started_total");
const suspended = counter("weft_executions_suspended_total")();
const left = counter("weft_runs_left_total");
const held = gauge("weft_worker_held")();
const recentEnds = new RecentEnds();
export const finishedRuns = counter("weft_executions_finished_total");

const OUTCOMES: Record<StepResult["kind"], string> = {
  done: "completed",
  failed: "failed",
  wait: "waiting",
  ask: "waiting",
  iterate: "waiting",
  call: "waiting",
  await: "waiting",
  round: "waiting",
};

/** Never negative, although the clocks of nodes differ. */
const secondsSince = (then: Date): number => Math.max(0, Date.now() - then.getTime()) / 1_000;

const scopeOf = ({ id, workspaceId }: Pick<ExecutionDoc, "id" | "workspaceId">): Scope => {
  const outer = currentScope();
  return { requestId: outer?.requestId, trace: outer?.trace, executionId: id, workspaceId };
};

class ObservedRun implements RunObserver {
  private readonly doc: ExecutionDoc;
  private readonly state: RunState;
  private readonly graph: WorkflowGraph;
  private readonly scope: Scope;
  private readonly underway: OpenSpan | undefined;

  constructor(doc: ExecutionDoc, state: RunState, graph: WorkflowGraph) {
    this.doc = doc;
    this.state = state;
    this.graph = graph;
    this.scope = scopeOf(doc);
    this.underway = this.begin();
    held.add();
  }

  /** Begins a span for the time that this worker holds the run, in the trace of what started the run. */
  private begin(): OpenSpan | undefined {
    const traces = tracing();
    if (!traces) return undefined;
    const { id, workspaceId, workflowId, trigger } = this.doc;
    const attributes = {
      "weft.execution.id": id,
      "weft.workspace.id": workspaceId,
      "weft.workflow.id": workflowId,
      "weft.trigger": trigger.type,
    };
    const parent = traces.read(this.state.traceparent) ?? this.scope.trace;
    const underway = traces.begin("execution", "internal", attributes, parent);
    this.scope.trace = underway.trace;
    return underway;
  }

  private typeOf(nodeId: string): string {
    return this.graph.byId.get(nodeId)?.type ?? "";
  }

  within<T>(act: () => T): T {
    return withScope(this.scope, act);
  }

  /** Counts only stored entries, so a run that is lost or taken up again counts once. */
  appended(entries: readonly StepEntry[], ms: number): void {
    appends.observe(ms / 1_000);
    for (const { event, nodeId = "" } of entries) {
      if (event === "step.retrying") retries(this.typeOf(nodeId)).add();
      else if (event === "execution.suspended") suspended.add();
      else if (event === "execution.started") {
        started(this.doc.trigger.type).add();
        waits.observe(secondsSince(this.doc.createdAt));
      }
    }
  }

  step<R extends Performed>(at: Address, act: () => R): R {
    const type = this.typeOf(at.nodeId);
    const underway = this.beginStep(type, at);
    const began = performance.now();
    const result = underway ? withScope({ ...this.scope, trace: underway.trace }, act) : act();
    // The promise of a step never rejects.
    if (result instanceof Promise)
      void result.then((settled: StepResult) => this.endStep(type, began, settled, underway));
    else if (result) this.endStep(type, began, result, underway);
    return result;
  }

  private beginStep(type: string, at: Address): OpenSpan | undefined {
    const traces = tracing();
    if (!traces) return undefined;
    const attributes = {
      "weft.step.type": type,
      "weft.node.id": at.nodeId,
      "weft.step.path": at.path?.map(({ index }) => index).join("."),
      "weft.step.attempt": nodeAt(this.state, at)?.attempt,
    };
    return traces.begin(`step ${type}`, "internal", attributes, this.scope.trace);
  }

  private endStep(type: string, began: number, result: StepResult, underway: OpenSpan | undefined): void {
    const outcome = OUTCOMES[result.kind];
    steps(type, outcome).observe((performance.now() - began) / 1_000);
    if (!underway) return;
    underway.span.setAttribute("weft.step.outcome", outcome);
    endSpan(underway, result.kind === "failed" ? result.error.code : undefined);
  }

  left(why: LeaveReason): void {
    const { status, error } = this.state;
    held.add(-1);
    left(why).add();
    if (why === "ended") {
      finishedRuns(status).add();
      recentEnds.add(status);
      durations(status).observe(secondsSince(this.doc.createdAt));
    }
    this.underway?.span.setAttributes({ "weft.execution.status": status, "weft.left": why });
    if (this.underway) endSpan(this.underway, status === "failed" ? (error?.code ?? "failed") : undefined);
  }
}

/** The number of runs that this process holds, and how its recent runs ended. */
export const runsOnThisNode = () => ({ held: held.value, ended: recentEnds.count() });

/** Measures and traces runs, and adds their ids to log lines. Without traces it only updates a few numbers. */
export const engineObserver: EngineObserver = {
  claimed: (ms, found) => claims(found ? "claimed" : "none").observe(ms / 1_000),
  within: (doc, act) => withScope(scopeOf(doc), act),
  run: (doc, state, graph) => new ObservedRun(doc, state, graph),
};
