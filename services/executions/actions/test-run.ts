import { v7 as uuid } from "uuid";
import { Gate, GateFullError } from "../../../adapters/processes/gate.ts";
import { type ActionContext, call, callerOf, handle } from "../../../contracts/call.ts";
import type { Trigger } from "../../../contracts/entities/execution.ts";
import type { TestRun } from "../../../contracts/entities/test-run.ts";
import { AppError, type Fault, notFound } from "../../../contracts/errors.ts";
import type { GraphNode, WorkflowGraph } from "../../../core/graph/graph.ts";
import { parseDefinition } from "../../../core/graph/parse-definition.ts";
import { shorten } from "../../../core/shorten.ts";
import { mockFaults } from "../../../core/trial/mocked.ts";
import { upTo } from "../../../core/trial/range.ts";
import { shownSteps, stepsOf } from "../../../core/trial/steps.ts";
import { firstQuestion } from "../../../core/run/waits.ts";
import { tryRun, type TrialResult } from "../engine/trial.ts";
import type { ExecutionsService } from "../upkeep/service.ts";
import { sized } from "./test-step.ts";
import { checkAgainst } from "./check-input.ts";

/** The limits of one test run. `chars` is the length of all outputs as JSON. */
const BUDGET = { ms: 60_000, steps: 2_000, chars: 8 * 1_048_576 };
/** Added to the limit, for reading the workflow and answering. */
const MARGIN_MS = 10_000;
/** The test runs of a node. Workspaces take turns. */
const gate = new Gate({ atOnce: 8, waiting: 64, perGroup: 8, ended: setImmediate });
const MAX_OUTPUT_SHOWN = 65_536;

type Wanted = ActionContext<"executions.testRun">;

const refused = (...errors: Fault[]) => new AppError("validation_failed", { errors });

/** The definition that a request contains or names, and what expressions can read about its workflow. */
async function wantedWorkflow(ctx: Wanted) {
  const { workspaceId, spaceId, workflowId, version, definition } = ctx.params;
  if (workflowId === undefined) {
    if (definition === undefined)
      throw refused({ path: "/definition", message: "Give a `definition`, or a `workflowId`." });
    return { about: { id: uuid(), name: "Test run", version: 1 }, definition: sized(definition) };
  }
  const runnable = await call(ctx, "workflows.runnable", { workspaceId, spaceId, workflowId, version });
  const snapshot = await call(ctx, "workflows.snapshot", { workspaceId, workflowId, version: runnable.version });
  if (!snapshot) throw notFound("version");
  const about = { id: workflowId, name: snapshot.name, version: runnable.version };
  return { about, definition: definition === undefined ? snapshot.definition : sized(definition) };
}

/**
 * The top-level step that a field names.
 * @throws {AppError} validation_failed
 */
function stepNamed(graph: WorkflowGraph, field: "from" | "until", nodeId: string | undefined): GraphNode | undefined {
  if (nodeId === undefined) return undefined;
  const node = graph.byId.get(nodeId);
  if (!node) throw refused({ path: `/${field}`, message: `The definition has no step \`${nodeId}\`.` });
  if (!node.parent) return node;
  const message = `The step \`${nodeId}\` is inside \`${node.parent.id}\`. Name that step instead.`;
  throw refused({ path: `/${field}`, message });
}

/** The graph up to a step. */
function graphUpTo(definition: unknown, graph: WorkflowGraph, until: GraphNode | undefined): WorkflowGraph {
  return (until && parseDefinition(upTo(definition, until)).graph) ?? graph;
}

/** The samples of the workflow, if the request asks for them. */
async function samplesOf(service: ExecutionsService, { params }: Wanted, graph: WorkflowGraph) {
  const { workspaceId, workflowId, samples } = params;
  if (!samples) return {};
  if (workflowId === undefined) throw refused({ path: "/samples", message: "Requires a `workflowId`." });
  const nodeIds = [...graph.byId.keys()].slice(0, 1_000);
  const { values } = await call(service.broker, "workflows.samples.read", { workspaceId, workflowId, nodeIds });
  return (await service.values.whole(workspaceId, values)) as Record<string, unknown>;
}

function presentTried(graph: WorkflowGraph, { state, entries, mocked }: TrialResult): TestRun {
  const { status, error } = state;
  const { steps, truncated } = shownSteps(stepsOf(graph, entries, mocked));
  const output = shorten(state.output ?? null, MAX_OUTPUT_SHOWN);
  const asked = firstQuestion(state)?.suspension;
  const ended = status === "completed" || status === "failed";
  return {
    status: ended ? status : "suspended",
    output: output.value,
    error,
    ...(!ended && asked && { suspension: asked }),
    steps,
    truncated: truncated || output.truncated,
  };
}

const failedBy = (error: TestRun["error"]): TestRun => ({
  ...{ status: "failed", output: null, error },
  ...{ steps: [], truncated: false },
});

/** Runs a whole graph in memory. Nothing is stored, and without `calls: "real"` nothing outside is called. */
export const testRun = handle<"executions.testRun", ExecutionsService>(
  "executions.testRun",
  async function (ctx) {
    const { workspaceId, spaceId, input, mocks, from, until, calls, trigger } = ctx.params;
    const { about, definition } = await wantedWorkflow(ctx);
    const parsed = parseDefinition(definition);
    if (!parsed.graph) {
      const message = "The definition is not valid.";
      return failedBy({ code: "invalid_definition", message, faults: parsed.faults });
    }
    const faults = mockFaults(parsed.graph, mocks);
    if (faults.length > 0) throw refused(...faults);
    const last = stepNamed(parsed.graph, "until", until);
    const graph = graphUpTo(definition, parsed.graph, last);
    const first = stepNamed(graph, "from", from);
    await checkAgainst(this, workspaceId, graph.settings.inputSchema, input);
    const samples = await samplesOf(this, ctx, graph);
    const doc = {
      ...{ id: uuid(), workspaceId, spaceId, workflowId: about.id },
      ...{ startedBy: callerOf(ctx).userId, createdAt: new Date() },
    };
    const trial = {
      ...{ doc, workflow: about, graph, input, mocks, samples, calls, from: first },
      trigger: { type: "manual", ...trigger } as Trigger,
    };
    const parts = { ...this.engine.stepParts, expressions: this.expressions, hashKey: this.hashKey };
    const run = () => {
      const budget = { until: performance.now() + BUDGET.ms, steps: BUDGET.steps, chars: BUDGET.chars };
      return tryRun(parts, trial, budget);
    };
    const waiting = AbortSignal.timeout(MARGIN_MS / 2);
    const tried = await gate.run(workspaceId, run, waiting).catch((error: unknown) => {
      if (error instanceof GateFullError || error === waiting.reason) throw new AppError("unavailable");
      throw error;
    });
    return presentTried(graph, tried);
  },
  { timeout: BUDGET.ms + MARGIN_MS, outside: true },
);
