import type { Change } from "../../../adapters/store/port.ts";
import type { WorkflowGraph } from "../../../core/graph/graph.ts";
import type { StepEntry } from "../../../core/run/entry.ts";
import { isFinal, type RunState } from "../../../core/run/state.ts";
import { firstQuestion, nextWake, openQuestions } from "../../../core/run/waits.ts";
import { markForNotice } from "../../../service-kit/outbox.ts";
import { durationOf } from "../store/durations.ts";
import { markFollowUp } from "../store/model.ts";
import type { ExecutionDoc } from "../store/model.ts";
import { deadlineOf } from "./deadline.ts";

/** Waits up to this long are held in memory. A run with a longer wait is parked. */
const HOLD_MS = 1_000;

export type RunPlacement = "here" | "parked" | "ended";

/** Whether a run continues on this worker, waits in the store, or has ended. */
function restOf(graph: WorkflowGraph, state: RunState, isBusy: boolean): RunPlacement {
  if (isFinal(state.status)) return "ended";
  if (isBusy) return "here";
  if (state.status === "suspended") return "parked";
  if (state.running > 0 || state.waiting.size === 0) return "here";
  const wake = wakeOf(graph, state);
  return wake !== null && Date.parse(wake) - Date.now() <= HOLD_MS ? "here" : "parked";
}

/** The time at which a parked run continues by itself: the earlier of the time that it waits for and its deadline. */
function wakeOf(graph: WorkflowGraph, state: RunState): string | null {
  const [wake, deadline] = [nextWake(state), deadlineOf(graph, state)];
  return wake !== null && deadline !== null ? (wake < deadline ? wake : deadline) : (wake ?? deadline);
}

/** Whether the end of this run needs further work, such as an event to its parent or the start of an error workflow. */
const hasFollowUp = ({ status, hadOrphans }: RunState, { parentId, group }: ExecutionDoc) =>
  status !== "completed" || parentId !== undefined || group !== undefined || hadOrphans;

const undoingOf = ({ compensation, undoing }: RunState) =>
  compensation && { compensation, ...(undoing?.cancelled && { undoes: "begun" as const }) };

export interface Projection {
  change: Change<ExecutionDoc>;
  /** Set if the worker gives up the execution with this change. */
  leaves?: "parked" | "ended";
}

/** The document after this change. */
export function projected(before: ExecutionDoc, projection: Projection | null): ExecutionDoc {
  const { $set = {}, $unset = {} } = projection?.change ?? {};
  const doc: Partial<Record<keyof ExecutionDoc, unknown>> = Object.assign({ ...before }, $set);
  // Sets the field to undefined, which counts as missing. Deleting it would slow down all later reads of the object.
  for (const field in $unset) if (field in doc) doc[field as keyof ExecutionDoc] = undefined;
  return doc as ExecutionDoc;
}

/**
 * What these entries change in the projection; null if nothing changes. With `isBusy`, this worker still has work for
 * the run, so it keeps the run even if all steps wait.
 */
export function projectionOf(
  graph: WorkflowGraph,
  state: RunState,
  doc: ExecutionDoc,
  entries: StepEntry[],
  isBusy = false,
): Projection | null {
  const startedAt = state.startedAt ? new Date(state.startedAt) : null;
  const rest = restOf(graph, state, isBusy);
  if (rest === "ended") {
    const at = entries.at(-1)?.at;
    const finishedAt = at ? new Date(at) : new Date();
    const followUp = hasFollowUp(state, doc) && markFollowUp();
    const compensated = state.compensation && { compensation: state.compensation };
    const notice = state.status === "failed" && markForNotice(finishedAt);
    return {
      change: {
        $set: {
          ...{ status: state.status, finishedAt, error: state.error, startedAt },
          durationMs: durationOf(startedAt, finishedAt),
          ...compensated,
          ...followUp,
          ...notice,
        },
        $unset: { workerId: 1, suspension: 1, asking: 1, inbox: 1, ...(doc.openKey !== undefined && { openKey: 1 }) },
      },
      leaves: "ended",
    };
  }
  const asking = state.waiting.size > 0 || doc.asking ? [...openQuestions(state)].length : 0;
  const questions = asking > 0 ? { asking } : {};
  const answered = asking === 0 && doc.asking ? { asking: 1 as const } : {};
  const suspended = state.status === "suspended";
  // The parent shows the question of a suspended child, so it is notified when the question appears and when the child
  // goes on.
  const followUp = doc.parentId !== undefined && (suspended || doc.suspension) && markFollowUp();
  if (rest === "parked") {
    const wake = wakeOf(graph, state);
    const suspension = suspended && { suspension: firstQuestion(state)?.suspension, ...markForNotice(new Date()) };
    return {
      change: {
        $set: {
          status: state.status,
          startedAt,
          ...undoingOf(state),
          ...questions,
          ...suspension,
          ...followUp,
          ...(wake && { wakeAt: new Date(wake) }),
        },
        $unset: { workerId: 1, inbox: 1, ...answered, ...(!suspended && { suspension: 1 }) },
      },
      leaves: "parked",
    };
  }
  const fresh = {
    ...(!doc.compensation && undoingOf(state)),
    ...(!doc.startedAt && { startedAt }),
    ...(asking !== (doc.asking ?? 0) && questions),
    ...followUp,
  };
  const gone = { ...answered, ...(doc.suspension && { suspension: 1 as const }) };
  if (Object.keys(fresh).length + Object.keys(gone).length === 0) return null;
  return { change: { $set: fresh, $unset: gone } };
}
