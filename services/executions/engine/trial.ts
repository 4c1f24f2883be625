import type { Trigger } from "../../../contracts/entities/execution.ts";
import type { Mocks, TrialCalls } from "../../../contracts/entities/test-run.ts";
import { hiddenSecrets } from "../../../core/expressions/secret-path.ts";
import type { GraphNode, WorkflowGraph } from "../../../core/graph/graph.ts";
import { NODE_TYPES } from "../../../core/graph/node-types.ts";
import type { ChildOutcome } from "../../../core/run/child.ts";
import type { ChildCall, CreatedEntry, StepEntry, StepResult } from "../../../core/run/entry.ts";
import { type Address, keyOf } from "../../../core/run/frame.ts";
import type { RunState } from "../../../core/run/state.ts";
import { firstQuestion } from "../../../core/run/waits.ts";
import { MocksInTurn, NOT_MOCKED, resultOfMock } from "../../../core/trial/mocked.ts";
import { keptBefore } from "../../../core/trial/range.ts";
import type { ExecutionDoc } from "../store/model.ts";
import { performAt, type PerformParts, type TrialOptions } from "./perform-at.ts";
import { type Secrets, StepFailure } from "./steps/secrets.ts";
import { failed, type StepContext } from "./steps/step.ts";
import { runTrial, type TrialBudget } from "./trial-run.ts";

export interface Trial {
  doc: StepContext["doc"] & Pick<ExecutionDoc, "createdAt">;
  workflow: { id: string; name: string; version: number };
  graph: WorkflowGraph;
  input: unknown;
  /** What expressions can read about the trigger. */
  trigger: Trigger;
  mocks: Mocks;
  /** Outputs that replace steps without mocks: steps that reach outside, wait, or are not performed. */
  samples: Readonly<Record<string, unknown>>;
  /** The step at which the run begins. Default: the start of the workflow. */
  from?: GraphNode | undefined;
  calls: TrialCalls;
}

/** The result of a trial. */
export interface TrialResult {
  state: RunState;
  entries: StepEntry[];
  /** The keys of the steps that mocks or samples replaced. */
  mocked: ReadonlySet<string>;
}

const HIDDEN = "•••";
const NOT_HERE = "A test run without real calls opens no credentials.";

/** Placeholders for the secrets that a step names. No credential is opened. */
const hidden = ({ template }: GraphNode): Secrets => ({
  areUsed: false,
  longest: 0,
  open: () => Promise.reject(new StepFailure(NOT_MOCKED, NOT_HERE)),
  fieldsOf: name => Promise.resolve({ ...hiddenSecrets(template.uses?.secrets ?? [], HIDDEN)[name] }),
  check: () => undefined,
  mask: value => value,
});

const waits = ({ type }: GraphNode) => NODE_TYPES[type].awaitsOutside === true;

class StandIns {
  readonly mocked = new Set<string>();
  readonly #trial: Trial;
  readonly #mocks: MocksInTurn;

  constructor(trial: Trial) {
    this.#trial = trial;
    this.#mocks = new MocksInTurn(trial.mocks);
  }

  /** The replacement for the next performance of a step; undefined if the step is performed. */
  of(node: GraphNode, at: Address): TrialOptions["instead"] {
    const { samples, calls } = this.#trial;
    const reaches = NODE_TYPES[node.type].reaches === true;
    const sample =
      (reaches || waits(node)) && Object.hasOwn(samples, node.id) ? { output: samples[node.id] } : undefined;
    const mock = this.#mocks.next(node.id) ?? sample;
    const shown = (data: unknown) => (reaches ? data : undefined);
    if (mock) {
      this.mocked.add(keyOf(at));
      return data => resultOfMock(node, mock, shown(data));
    }
    if (!reaches || calls === "real") return undefined;
    if (calls === "none") return data => this.#left(node, at, data);
    const message = `The step "${node.id}" reaches outside and has no mock.`;
    return data => ({ ...failed(NOT_MOCKED, message, false), input: data }) as StepResult;
  }

  /** The result of a call that the trial skips. */
  #left(node: GraphNode, at: Address, data: unknown): StepResult {
    this.mocked.add(keyOf(at));
    const made = resultOfMock(node, { output: null }, data);
    return { ...made, logs: [{ level: "info", message: "Not called: the test run makes no calls." }] } as StepResult;
  }
}

function createdOf({ doc, input, trigger }: Trial): CreatedEntry {
  return { seq: 0, event: "execution.created", at: doc.createdAt.toISOString(), input, trigger };
}

function outcomeOf({ state }: TrialResult): ChildOutcome {
  if (state.status === "completed") return { status: "completed", output: state.output };
  if (state.status === "failed") return { status: "failed", error: state.error };
  return { status: "suspended", suspension: firstQuestion(state)?.suspension };
}

/** Runs the workflow that a subworkflow step calls, in memory as well. */
async function childOf(
  parts: PerformParts,
  trial: Trial,
  child: ChildCall,
  budget: TrialBudget,
): Promise<ChildOutcome> {
  const { doc } = trial;
  const { id, spaceId, workflowId, version, input } = child;
  const workflow = await parts.definitions.get(doc.workspaceId, workflowId, version);
  const { graph, faults } = workflow.parsed;
  if (!graph) {
    const [fault] = faults;
    const message = fault?.message ?? "The definition of the subworkflow cannot run.";
    return { status: "failed", error: { code: "invalid_definition", message } };
  }
  const own = { ...doc, id, spaceId, workflowId, depth: (doc.depth ?? 0) + 1 };
  const trigger = { type: "subworkflow" as const, id: doc.id };
  const tried = { ...trial, doc: own, workflow, graph, input, trigger, mocks: {}, samples: {}, from: undefined };
  return outcomeOf(await tryRun(parts, tried, budget));
}

/** Runs a graph in memory with the given parts of the engine. Nothing is stored. */
export async function tryRun(parts: PerformParts, trial: Trial, budget: TrialBudget): Promise<TrialResult> {
  const { doc, graph, mocks, samples, from, calls } = trial;
  const standIns = new StandIns(trial);
  const first = new MocksInTurn(mocks);
  const known = (id: string) => first.first(id) ?? (Object.hasOwn(samples, id) ? { output: samples[id] } : undefined);
  const { id, name, version } = trial.workflow;
  const about = {
    execution: { id: doc.id, attempt: 1, createdAt: doc.createdAt.toISOString() },
    workflow: { id, name, version },
  };
  const { state, entries } = await runTrial({
    graph,
    created: createdOf(trial),
    kept: from && keptBefore(graph, from, nodeId => known(nodeId) as { output: unknown } | undefined),
    budget,
    child: child => childOf(parts, trial, child, budget),
    perform: (now, at, report, abort) => {
      const node = graph.byId.get(at.nodeId);
      if (!node) return undefined;
      const trying: TrialOptions = {
        dry: calls === "real" ? "values" : "all",
        instead: node.disabled ? undefined : standIns.of(node, at),
        ...(calls !== "real" && { secrets: hidden(node) }),
      };
      return performAt({ graph, state: now, doc, parts, about, report, trying }, at, abort);
    },
  });
  return { state, entries, mocked: standIns.mocked };
}
