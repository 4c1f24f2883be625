import { isDeepStrictEqual } from "node:util";
import type { ExecutionError, Suspension } from "../../contracts/entities/execution.ts";
import type { FailedResult } from "./entry.ts";
import { failStep } from "./fail-step.ts";
import { frameAt, type Address } from "./frame.ts";
import { isTooLarge, MAX_OUTPUT_CHARS } from "./step-limits.ts";
import type { Turn } from "./turn.ts";

/** The state of a child execution that a step waits for. */
export type ChildOutcome =
  | { status: "pending" | "running" | "cancelled" | "gone" }
  | { status: "suspended"; suspension: Suspension | undefined }
  | { status: "completed"; output: unknown }
  | { status: "failed"; error: ExecutionError | null };

const GOES_ON: ReadonlySet<ChildOutcome["status"]> = new Set(["pending", "running", "suspended"]);

/** The innermost cause of a child's failure and its place, for the step that waits for the child. */
function causeOf(error: ExecutionError | null, childId: string): Pick<ExecutionError, "message" | "origin"> {
  // A failure from a deeper child already names its origin.
  if (error?.origin) return { message: error.message, origin: error.origin };
  const { code, message, nodeId } = error ?? { code: "unknown", message: "The subworkflow failed without an error." };
  const at = nodeId === undefined ? "" : ` at step "${nodeId}"`;
  return {
    message: `A subworkflow failed${at}: ${message}`,
    origin: { executionId: childId, ...(nodeId !== undefined && { nodeId }), code },
  };
}

/** The failure of a step whose child execution has ended without an output. */
function failureOf(outcome: ChildOutcome, childId: string): Omit<FailedResult, "kind"> {
  if (outcome.status === "failed")
    return { error: { code: "subworkflow_failed", ...causeOf(outcome.error, childId) }, retryable: true };
  const [code, message] =
    outcome.status === "cancelled"
      ? ["subworkflow_cancelled", "The execution of a subworkflow was cancelled."]
      : ["subworkflow_gone", "The execution of a subworkflow was removed."];
  return { error: { code, message, origin: { executionId: childId, code } }, retryable: false };
}

/** Takes in that a child execution has moved on. A repeated message changes nothing. */
export function applyChildOutcome(turn: Turn, at: Address, childId: string, outcome: ChildOutcome): void {
  const frame = frameAt(turn.state, at.path);
  const { nodeId } = at;
  const node = frame?.nodes.get(nodeId);
  if (!frame || node?.waitsFor !== "child" || !node.child || node.child.id !== childId) return;
  const { child, attempt, until } = node;
  if (!GOES_ON.has(outcome.status)) turn.resume();
  const durationMs = turn.since(node);
  switch (outcome.status) {
    case "pending":
    case "running":
    case "suspended": {
      const asked = outcome.status === "suspended" ? outcome.suspension : undefined;
      const suspension = asked && {
        ...asked,
        nodeId,
        path: at.path && [...at.path],
        executionId: asked.executionId ?? childId,
      };
      if (isDeepStrictEqual(suspension, node.suspension)) return;
      return turn.addStep(frame, {
        event: "step.log",
        nodeId,
        attempt,
        child,
        ...(until && { until }),
        ...(suspension && { suspension }),
      });
    }
    case "completed": {
      const output = outcome.output ?? null;
      if (!isTooLarge(output))
        return turn.settle(frame, { event: "step.completed", nodeId, output, handle: "out", durationMs });
      const message = `The output is larger than ${MAX_OUTPUT_CHARS / 1_024} KiB.`;
      return failStep(
        turn,
        frame,
        nodeId,
        { kind: "failed", error: { code: "output_too_large", message }, retryable: false },
        durationMs,
      );
    }
    default:
      return failStep(turn, frame, nodeId, { kind: "failed", ...failureOf(outcome, childId) }, durationMs);
  }
}
