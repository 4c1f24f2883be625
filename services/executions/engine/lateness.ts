import type { WorkflowGraph } from "../../../core/graph/graph.ts";
import type { Happening } from "../../../core/run/advance.ts";
import type { RunState } from "../../../core/run/state.ts";

/** When a run has taken too long, ISO 8601; null where its workflow says nothing of it. */
export function deadlineOf({ settings: { timeoutMs } }: WorkflowGraph, { startedAt }: RunState): string | null {
  if (timeoutMs === undefined || startedAt === null) return null;
  return new Date(Date.parse(startedAt) + timeoutMs).toISOString();
}

/** The end of a run that has taken longer than its workflow lets it. */
export function lateness(graph: WorkflowGraph, state: RunState, now: string): Happening | undefined {
  const deadline = deadlineOf(graph, state);
  if (!deadline || now < deadline) return undefined;
  const message = `The run took longer than ${graph.settings.timeoutMs ?? 0} ms.`;
  return { kind: "fail", error: { code: "execution_timeout", message } };
}
