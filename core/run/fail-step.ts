import type { ExecutionError } from "../../contracts/entities/execution.ts";
import type { FailedResult } from "./entry.ts";
import type { Frame } from "./frame.ts";
import { retryDelay } from "./retry-delay.ts";
import type { Turn } from "./turn.ts";

/** Applies the policy of a failed step: another attempt, going on with the error, or the end. */
export function failStep(turn: Turn, frame: Frame, nodeId: string, failed: FailedResult, durationMs: number): void {
  const graphNode = turn.nodeOf(nodeId);
  const node = frame.nodes.get(nodeId);
  if (!graphNode || !node) return;
  const { policy } = graphNode;
  const { retryable = true, input, retryAfterMs } = failed;
  const { code, message, details, origin } = failed.error;
  const error: ExecutionError = {
    ...{ code, message, nodeId },
    ...(details && { details: { ...details, attempt: node.attempt } }),
    ...(origin && { origin }),
  };
  const shown = { nodeId, attempt: node.attempt, error, durationMs, ...(input === undefined ? {} : { input }) };
  const delay = retryable ? retryDelay(policy.retry, node.failures + 1, turn.around.random, retryAfterMs) : null;
  if (delay !== null) {
    const until = new Date(Date.parse(turn.around.now) + delay).toISOString();
    turn.addStep(frame, { event: "step.retrying", ...shown, until });
  } else if (policy.onError === "fail") {
    turn.addStep(frame, { event: "step.failed", ...shown });
    escalate(turn, frame, error);
  } else {
    turn.settle(frame, { event: "step.failed", ...shown, ...onwards(policy.onError, error) });
  }
}

const onwards = (onError: "continue" | "route", { code, message, details, origin }: ExecutionError) => ({
  handle: onError === "route" ? "error" : "out",
  output: { error: { code, message, ...(details && { details }), ...(origin && { origin }) } },
});

/**
 * Passes on a failure that the step's policy does not handle. The map around the step fails with all its items, or else
 * the run fails.
 */
export function escalate(turn: Turn, frame: Frame, error: ExecutionError): void {
  for (let at: Frame | null = frame; at?.parent; at = at.parent) {
    const nodeId = at.path.at(-1)?.nodeId ?? "";
    const onError = turn.nodeOf(nodeId)?.policy.onError ?? "fail";
    if (onError === "fail") continue;
    turn.settle(at.parent, { event: "step.failed", nodeId, error, ...onwards(onError, error) });
    return;
  }
  turn.fail(error);
}
