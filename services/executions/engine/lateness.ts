import type { WorkflowGraph } from "../../../core/graph/graph.ts";
import type { Happening } from "../../../core/run/advance.ts";
import type { RunState } from "../../../core/run/state.ts";
import { dueSteps } from "../../../core/run/waits.ts";

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

/** When the clock has something to say to a run that is held, ISO 8601; null where it never will. */
export function nextTime(graph: WorkflowGraph, state: RunState): string | null {
  const times = [...state.waiting.values()].flatMap(({ node }) => node.until ?? []);
  const deadline = deadlineOf(graph, state);
  if (deadline !== null) times.push(deadline);
  return times.sort()[0] ?? null;
}

/** What it says: steps that are due, and that the run took too long. */
export function happeningsOfClock(graph: WorkflowGraph, state: RunState, now: string): Happening[] {
  const due: Happening[] = dueSteps(state, now).map(at => ({ kind: "due", at }));
  const late = lateness(graph, state, now);
  return late ? [...due, late] : due;
}
