import type { WorkflowGraph } from "../../../core/graph/graph.ts";
import type { Happening } from "../../../core/run/advance.ts";
import type { RunState } from "../../../core/run/state.ts";
import { awaitsSignal, dueSteps } from "../../../core/run/waits.ts";

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

/** How often a run that is held looks for signals of which it may not have heard. */
const LISTEN_MS = 2_000;
/** The clock may be set back meanwhile, so a run does not wait for longer before it looks at it again. */
const LONGEST_MS = 60_000;

/** Milliseconds until a run that is held looks at the clock, and for signals; null where neither has to say anything. */
export function msToLook(graph: WorkflowGraph, state: RunState, now: number): number | null {
  const next = nextTime(graph, state);
  const longest = awaitsSignal(state) ? LISTEN_MS : LONGEST_MS;
  if (next === null) return awaitsSignal(state) ? longest : null;
  return Math.min(Math.max(Date.parse(next) - now, 0) + 1, longest);
}

/** When the clock has something to say to a run that is held, ISO 8601; null where it never will. */
function nextTime(graph: WorkflowGraph, state: RunState): string | null {
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
