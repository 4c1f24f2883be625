import type { FunctionContext } from "../../../core/expressions/function-context.ts";
import type { RunInput } from "../../../core/run/advance.ts";
import { expressionsOf } from "../../../core/expressions/template-uses.ts";
import type { GraphNode, WorkflowGraph } from "../../../core/graph/graph.ts";
import type { StepResult } from "../../../core/run/entry.ts";
import { addressIn, frameAt, passesSeenIn, type Address, type Frame } from "../../../core/run/frame.ts";
import { stepsSeenIn } from "../../../core/run/seen-steps.ts";
import type { RunState } from "../../../core/run/state.ts";
import { publicUrl } from "../../../service-kit/public-url.ts";
import { resumeKey } from "../store/resume-token.ts";
import type { ExecutionDoc } from "../store/model.ts";
import type { Abort } from "./abort.ts";
import type { RunnableWorkflow } from "./workflow-cache.ts";
import type { EngineParts } from "./parts.ts";
import { loadScope } from "./load-scope.ts";
import { notStored, perform, type StepPerformance } from "./perform.ts";
import type { Secrets } from "./steps/secrets.ts";
import { type LiveReport, StepView } from "./step-view.ts";
import { idempotencyKey, type StepContext, type StepParts } from "./steps/step.ts";
import { StepSecrets } from "./steps/step-secrets.ts";

/** What expressions can read about the execution and its workflow. */
export interface RunInfo {
  execution: { id: string; attempt: number; createdAt: string };
  workflow: { id: string; name: string; version: number };
}

export const runInfoOf = (doc: ExecutionDoc, { id, name, version }: Omit<RunnableWorkflow, "parsed">): RunInfo => ({
  execution: { id: doc.id, attempt: doc.attempt, createdAt: doc.createdAt.toISOString() },
  workflow: { id, name, version },
});

/**
 * The inputs of time and random functions in a step's expressions: the time when the step began, and a seed for each
 * attempt.
 */
function momentIn(
  doc: StepContext["doc"],
  frame: Frame,
  nodeId: string,
  resume: FunctionContext["resume"],
): FunctionContext | undefined {
  const node = frame.nodes.get(nodeId);
  if (!node) return undefined;
  // A loop is performed once more after each round, and each performance has attempts of its own.
  const round = node.map?.round ? `/${node.map.round.index}` : "";
  const seed = `${idempotencyKey(doc, addressIn(frame, nodeId))}${round}@${node.attempt}`;
  return { now: Date.parse(node.began ?? node.startedAt), seed, ...(resume && { resume }) };
}

const depthOf = (node: GraphNode): number => (node.parent ? depthOf(node.parent) + 1 : 0);

/** The data for `$resumeUrl`; undefined if no expression of the step calls it. */
function resumeIn(
  doc: StepContext["doc"],
  frame: Frame,
  { node, byId, ...own }: ResumeSources,
): FunctionContext["resume"] {
  const names = [...expressionsOf(node.template.root)].some(({ expression }) =>
    expression.source.includes("resumeUrl"),
  );
  if (!names) return undefined;
  const inside = [...byId.values()].filter(({ parent }) => parent);
  return {
    base: `${own.publicUrl ?? publicUrl()}/v1/resume/`,
    workspaceId: doc.workspaceId,
    executionId: doc.id,
    path: frame.path.map(({ nodeId, index }) => ({ nodeId, index })),
    depths: Object.fromEntries(inside.map(one => [one.id, depthOf(one)])),
    key: resumeKey(own.hashKey, doc),
  };
}

interface ResumeSources {
  node: GraphNode;
  byId: WorkflowGraph["byId"];
  hashKey: string;
  publicUrl?: string | undefined;
}

/** How to perform a step of a run that is not stored. */
export interface TrialOptions {
  dry: NonNullable<StepContext["dry"]>;
  /** Absent if the step opens its credentials itself. */
  secrets?: Secrets | undefined;
  instead: StepPerformance["instead"];
}

/**
 * The parts of the engine that a performance uses. `publicUrl` is the address of this service if none is configured.
 */
export type PerformParts = StepParts & Pick<EngineParts, "expressions" | "hashKey"> & { publicUrl?: string };

interface Performing {
  graph: WorkflowGraph;
  state: RunState;
  doc: StepContext["doc"] & Pick<ExecutionDoc, "createdAt">;
  parts: PerformParts;
  about: RunInfo;
  report: (said: LiveReport) => Promise<void>;
  trying?: TrialOptions | undefined;
}

/** Performs the step at an address of a run. Returns undefined if the run has no such step. */
export function performAt(
  { graph, state, doc, parts, about, report, trying }: Performing,
  { nodeId, path }: Address,
  abort: Abort,
): StepResult | Promise<StepResult> | undefined {
  const node = graph.byId.get(nodeId);
  const frame = frameAt(state, path);
  if (!node || !frame) return undefined;
  const scope = {
    input: state.input,
    steps: stepsSeenIn(frame),
    trigger: state.trigger,
    ...about,
    ...passesSeenIn(frame),
  };
  const secrets = trying?.secrets ?? new StepSecrets(doc, parts.credentials);
  let known: FunctionContext | undefined;
  const moment = () =>
    (known ??= momentIn(doc, frame, nodeId, resumeIn(doc, frame, { node, byId: graph.byId, ...parts })));
  const performWith = (seen: typeof scope) =>
    perform({
      node,
      expressions: parts.expressions,
      abort,
      workspaceId: doc.workspaceId,
      scope: seen,
      moment,
      load: state.hasLarge
        ? (template, wanted) => loadScope(parts.values, doc.workspaceId, template, wanted)
        : undefined,
      context: new StepView({
        node,
        frame,
        state,
        doc,
        scope: seen,
        parts,
        secrets,
        dry: trying?.dry,
        abort,
        report,
      }),
      instead: trying?.instead,
    });
  if (!state.hasLarge || node.disabled) return performWith(scope);
  return loadScope(parts.values, doc.workspaceId, node.template, scope).then(performWith, notStored);
}

/** Converts the result of a step into an input of its run. */
export const resultOf = (at: Address, result: StepResult, ms: number): RunInput => ({
  ...{ kind: "result", at, result },
  durationMs: Math.round(ms * 1_000) / 1_000,
});
