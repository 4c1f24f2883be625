import { v7 as uuid } from "uuid";
import { type ActionContext, call, callerOf, handle } from "../../../contracts/call.ts";
import type { StepTest } from "../../../contracts/entities/execution.ts";
import { AppError, notFound } from "../../../contracts/errors.ts";
import type { WorkflowVersion } from "../../../contracts/entities/workflow.ts";
import { needsOf, type Needs } from "../../../core/expressions/needs.ts";
import { READ_NAMES } from "../../../core/expressions/scope.ts";
import { definitionErrors } from "../../../core/graph/check-definition.ts";
import type { GraphNode } from "../../../core/graph/graph.ts";
import { NODE_TYPES, runsInRounds } from "../../../core/graph/node-types.ts";
import { parseDefinition } from "../../../core/graph/parse-definition.ts";
import type { LogLine, StepResult } from "../../../core/run/entry.ts";
import { Abort } from "../engine/abort.ts";
import { perform } from "../engine/perform.ts";
import { timeoutOf } from "../engine/steps/step.ts";
import { StepSecrets } from "../engine/steps/step-secrets.ts";
import { MAX_DEFINITION_BYTES } from "../../../core/workflow-versions.ts";
import { trialScope } from "./trial-scope.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

const MAX_STEP_MS = 60_000;
/** Time for the work around the step. */
const MARGIN_MS = 5_000;
const MAX_LOG_LINES = 500;

/** The outputs that flow into a step, as far as they are given. */
function incomingOf(node: GraphNode, steps: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    node.in.flatMap(({ source }) => (Object.hasOwn(steps, source.id) ? [[source.id, steps[source.id]]] : [])),
  );
}

function presentResult(result: StepResult, told: LogLine[]): Omit<StepTest, "nodeId" | "nodeType" | "durationMs"> {
  const nothing = { output: null, handle: null, error: null, log: told };
  const waits = (output: unknown) => ({ ...nothing, outcome: "waits" as const, output });
  switch (result.kind) {
    case "done": {
      const { output, handle = "out", logs = [] } = result;
      return { ...nothing, outcome: "completed", output, handle, log: [...told, ...logs] };
    }
    case "failed":
      return { ...nothing, outcome: "failed", error: result.error, log: [...told, ...(result.logs ?? [])] };
    case "wait":
      return waits({ until: result.until, output: result.output });
    case "ask":
      return { ...waits(null), suspension: result.suspension };
    case "iterate":
      return waits({ items: result.items, concurrency: result.concurrency });
    case "round":
      return waits({ round: result.index, carry: result.carry });
    case "await":
      return waits({ ...result.awaits, until: result.until ?? null });
    case "call": {
      const { workflowId, version, input } = result.child;
      return waits({ workflowId, version, input });
    }
  }
}

/**
 * The node with this id. Faults of other nodes do not matter.
 * @throws {AppError} validation_failed with the node's own faults, or not_found
 */
function stepOf(definition: unknown, nodeId: string): GraphNode {
  const { graph, faults = [], partial } = { partial: undefined, ...parseDefinition(definition, { strict: true }) };
  const node = (graph ?? partial)?.byId.get(nodeId);
  // The edges that leave a step do not affect it.
  const own = faults.filter(fault => fault.nodeId === nodeId && !fault.path.startsWith("/edges"));
  const told = own.length > 0 ? own : node ? [] : faults.filter(({ nodeId: other }) => other === null);
  if (told.length > 0) {
    const detail = own.length > 0 ? "The step cannot run." : "The definition cannot be read.";
    throw new AppError("validation_failed", { detail, errors: definitionErrors(told) });
  }
  if (!node) throw notFound("step");
  return node;
}

/** The definition under test: an unsaved one from the request, or a version of the workflow. */
async function triedDefinition(ctx: ActionContext<"executions.test">): Promise<WorkflowVersion> {
  const { workspaceId, spaceId, id: workflowId, version, definition } = ctx.params;
  const runnable = await call(ctx, "workflows.runnable", { workspaceId, spaceId, workflowId, version });
  const workflow = await call(ctx, "workflows.snapshot", { workspaceId, workflowId, version: runnable.version });
  if (!workflow) throw notFound("version");
  return definition === undefined ? workflow : { ...workflow, definition: sized(definition) };
}

/** @throws {AppError} payload_too_large */
export function sized(definition: unknown): unknown {
  if (Buffer.byteLength(JSON.stringify(definition)) <= MAX_DEFINITION_BYTES) return definition;
  throw new AppError("payload_too_large", {
    detail: `A definition is limited to ${MAX_DEFINITION_BYTES} bytes of JSON.`,
  });
}

/** What the step may read: what its expressions name, what flows into it, and everything if it is a program. */
function needsOfStep(node: GraphNode): Needs {
  if (NODE_TYPES[node.type].literal) return { names: new Set(READ_NAMES), steps: null };
  const named = [node.template, ...Object.values(node.later ?? {})].map(({ root }) => needsOf(root).steps);
  const steps = named.includes(null)
    ? null
    : new Set([...node.in.map(({ source }) => source.id), ...named.flatMap(ids => [...(ids ?? [])])]);
  return { names: new Set(READ_NAMES), steps };
}

/** The values that the step sees, with the large values that they refer to. */
async function seenBy(service: ExecutionsService, ctx: ActionContext<"executions.test">, node: GraphNode) {
  const { workspaceId, spaceId, id: workflowId, nodeId, scope, ...given } = ctx.params;
  const source = { path: [], ...scope, nodeId };
  const tried = { workspaceId, spaceId, workflowId };
  const seen = await trialScope(service, tried, { source, given, needs: needsOfStep(node) });
  const { input, steps, item, loop, trigger } = seen;
  const whole = await service.values.whole(workspaceId, { input, steps, item, loop, trigger });
  return { ...seen, ...(whole as Pick<typeof seen, "input" | "steps" | "item" | "loop" | "trigger">) };
}

/** Tests one step of a workflow with the given outputs, as a run would perform it. Nothing is stored. */
export const testStep = handle<"executions.test", ExecutionsService>(
  "executions.test",
  async function (ctx) {
    const { workspaceId, spaceId, id: workflowId, nodeId } = ctx.params;
    const { definition, name, version } = await triedDefinition(ctx);
    const node = stepOf(definition, nodeId);
    const seen = await seenBy(this, ctx, node);
    const { input, item, loop, steps } = seen;
    const isInLoop = runsInRounds(node.parent?.type);
    const passed = (isInLoop ? (loop as { carry?: unknown } | undefined)?.carry : item) ?? null;
    const abort = new Abort();
    const id = uuid();
    const incoming = incomingOf(node, steps);
    const only = Object.values(incoming);
    const timeoutMs = Math.min(timeoutOf(node.policy), MAX_STEP_MS);
    const tested = { ...node, policy: { ...node.policy, timeoutMs } };
    const scope = { ...seen, workflow: { id: workflowId, name, version } };
    const told: LogLine[] = [];
    const report = ({ message, level = "info" }: { message: string; level?: LogLine["level"] }) => {
      if (told.length < MAX_LOG_LINES) told.push({ level, message });
    };
    const secrets = new StepSecrets({ workspaceId, spaceId }, this.engine.stepParts.credentials);
    const started = performance.now();
    const result = await perform({
      node: tested,
      expressions: this.expressions,
      abort,
      workspaceId,
      mostMs: MAX_STEP_MS,
      scope,
      context: {
        doc: { id, workspaceId, spaceId, workflowId, startedBy: callerOf(ctx).userId },
        at: { nodeId },
        dry: "all",
        records: [],
        record: recorded => Promise.resolve(report(secrets.mask(recorded))),
        log: line => report(secrets.mask(line)),
        input: () => (node.in.length === 0 ? (node.parent ? passed : input) : only.length === 1 ? only[0] : incoming),
        incoming: () => incoming,
        scope,
        policy: tested.policy,
        parts: this.engine.stepParts,
        secrets,
        get signal() {
          return abort.signal;
        },
      },
    });
    const durationMs = Math.round((performance.now() - started) * 1_000) / 1_000;
    return { nodeId, nodeType: node.type, ...presentResult(result, told), durationMs };
  },
  { timeout: MAX_STEP_MS + MARGIN_MS, outside: true },
);
