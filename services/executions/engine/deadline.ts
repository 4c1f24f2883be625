import type { WorkflowGraph } from "../../../core/graph/graph.ts";
import type { RunInput } from "../../../core/run/advance.ts";
import type { RunState } from "../../../core/run/state.ts";
import { awaitsSignal, dueSteps } from "../../../core/run/waits.ts";

/** The time by which a run must end, ISO 8601; null if its workflow sets no limit. */
export function deadlineOf(
  { settings: { timeoutMs } }: WorkflowGraph,
  { startedAt, undoing }: RunState,
): string | null {
  // A run that compensates has failed already.
  if (timeoutMs === undefined || startedAt === null || undoing) return null;
  return new Date(Date.parse(startedAt) + timeoutMs).toISOString();
}

/** The failure of a run that has passed its deadline; undefined before it. */
export function deadlinePassed(graph: WorkflowGraph, state: RunState, now: string): RunInput | undefined {
  const deadline = deadlineOf(graph, state);
  if (!deadline || now < deadline) return undefined;
  const message = `The run took longer than ${graph.settings.timeoutMs ?? 0} ms.`;
  return { kind: "fail", error: { code: "execution_timeout", message } };
}

/** How often a held run looks for signals whose hint may have been lost. */
const LISTEN_MS = 2_000;
/** The clock may be set back, so a run looks at it again after this time at the latest. */
const LONGEST_MS = 60_000;

/** Milliseconds until a held run must look at the clock and for signals; null where it waits for neither. */
export function msUntilDue(graph: WorkflowGraph, state: RunState, now: number): number | null {
  const next = nextTime(graph, state);
  const longest = awaitsSignal(state) ? LISTEN_MS : LONGEST_MS;
  if (next === null) return awaitsSignal(state) ? longest : null;
  return Math.min(Math.max(Date.parse(next) - now, 0) + 1, longest);
}

/** The next time at which a step is due or the run reaches its deadline, ISO 8601; null where no time is set. */
function nextTime(graph: WorkflowGraph, state: RunState): string | null {
  const times = [...state.waiting.values()].flatMap(({ node }) => node.until ?? []);
  const deadline = deadlineOf(graph, state);
  if (deadline !== null) times.push(deadline);
  return times.sort()[0] ?? null;
}

/** The inputs that the clock gives: steps that are due, and the passed deadline. */
export function dueInputs(graph: WorkflowGraph, state: RunState, now: string): RunInput[] {
  const due: RunInput[] = dueSteps(state, now).map(at => ({ kind: "due", at }));
  const late = deadlinePassed(graph, state, now);
  return late ? [...due, late] : due;
}
