import { call, handle } from "../../../contracts/call.ts";
import type { Graph } from "../../../core/graph/graph.ts";
import type { KeptEntry } from "../../../core/run/advance.ts";
import { keptFrom } from "../engine/resume.ts";
import { getExecution } from "../store/read-execution.ts";
import type { ExecutionsService } from "../upkeep/service.ts";
import { checkBeginning, checkFrom } from "./retry-execution.ts";

/** The top-level steps, grouped by what a retry does with them. Compensations are left out. */
function planOf(graph: Graph, entries: readonly KeptEntry[]) {
  const top = entries.filter(({ path }) => path === undefined);
  const settled = new Set(top.filter(({ event }) => event !== "step.started" && event !== "step.log").map(nodeOf));
  const begun = new Set(top.map(nodeOf));
  const steps = graph.nodes.filter(({ undoes }) => undoes === null).map(({ id }) => id);
  return {
    kept: steps.filter(id => settled.has(id)),
    continued: steps.filter(id => begun.has(id) && !settled.has(id)),
    runs: steps.filter(id => !begun.has(id)),
  };
}
const nodeOf = ({ nodeId }: KeptEntry) => nodeId;

/**
 * Returns what a retry would keep and what it would run if it began now, by the rules of the engine. It changes
 * nothing.
 */
export const planRetry = handle<"executions.retryPlan", ExecutionsService>(
  "executions.retryPlan",
  async function (ctx) {
    const { fromNode, fromStart, version: wanted } = ctx.params;
    checkBeginning(ctx.params);
    const old = await getExecution(this, ctx.params);
    const { workspaceId, spaceId, workflowId } = old;
    const version = wanted === "latest" ? undefined : old.workflowVersion;
    const runnable = await call(ctx, "workflows.runnable", { workspaceId, spaceId, workflowId, version });
    if (fromNode !== undefined) await checkFrom(this, old, runnable.version, fromNode);
    const { definitions } = this.engine;
    const { graph } = (await definitions.get(workspaceId, workflowId, runnable.version)).parsed;
    if (!graph) return { version: runnable.version, kept: [], continued: [], runs: [] };
    const retried = { retryOf: old.id, retryFrom: fromNode ?? null };
    const entries = fromStart ? [] : await keptFrom(this, definitions, old, retried, graph);
    return { version: runnable.version, ...planOf(graph, entries) };
  },
);
