import type { ExecutionError } from "../../contracts/entities/execution.ts";
import type { FailedResult } from "./entry.ts";
import type { Frame } from "./frame.ts";
import type { Turn } from "./turn.ts";
import { backoffMs } from "../backoff.ts";
import type { Policy } from "../graph/definition.ts";

export const DEFAULT_MAX_MS = 60_000;
/** The longest wait that a server can ask for, in ms. */
const MAX_ASKED_MS = 300_000;

/**
 * The time in ms until the next attempt after this many failures; null if no attempt is left. Exponential backoff
 * doubles from `initialMs` up to `maxMs`. `jitter` spreads the time by that share either way, never over `maxMs`.
 * `random` is from [0, 1). `askedMs` is the wait that the other side asked for: the time is no shorter, up to `maxMs`
 * or five minutes.
 */
export function retryDelay(retry: Policy["retry"], failures: number, random: number, askedMs?: number): number | null {
  if (failures >= retry.maxAttempts) return null;
  const { initialMs: firstMs, maxMs = DEFAULT_MAX_MS } = retry;
  const base = backoffMs({ firstMs, mostMs: maxMs }, retry.backoff === "exponential" ? failures : 1);
  const shortest = base * (1 - retry.jitter);
  // If `maxMs` cuts the spread, the remaining spread is still used, so steps that fail together do not retry together.
  const longest = Math.min(base * (1 + retry.jitter), maxMs);
  const own = Math.floor(shortest + random * (longest - shortest));
  return askedMs === undefined ? own : Math.max(own, Math.ceil(Math.min(askedMs, retry.maxMs ?? MAX_ASKED_MS)));
}

/** Applies the policy of a failed step: another attempt, continuing with the error, or the end. */
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
  const retry = graphNode.undoes ? withMoreAttempts(policy.retry) : policy.retry;
  const delay = retryable ? retryDelay(retry, node.failures + 1, turn.around.random, retryAfterMs) : null;
  if (delay !== null) {
    const until = new Date(Date.parse(turn.around.now) + delay).toISOString();
    turn.addStep(frame, { event: "step.retrying", ...shown, until });
  } else if (policy.onError === "fail" || graphNode.undoes) {
    turn.addStep(frame, { event: "step.failed", ...shown });
    escalate(turn, frame, error);
  } else {
    turn.settle(frame, { event: "step.failed", ...shown, ...onwards(policy.onError, error) });
  }
}

/** The attempts of a compensation if its policy sets none. */
export const COMPENSATION_ATTEMPTS = 5;

const withMoreAttempts = (retry: Policy["retry"]): Policy["retry"] =>
  retry.maxAttempts > 1 ? retry : { ...retry, maxAttempts: COMPENSATION_ATTEMPTS };

const onwards = (onError: "continue" | "route", { code, message, details, origin }: ExecutionError) => ({
  handle: onError === "route" ? "error" : "out",
  output: { error: { code, message, ...(details && { details }), ...(origin && { origin }) } },
});

/**
 * Passes on a failure that the step's policy does not handle. The map around the step fails with all its items, or else
 * the run fails.
 */
export function escalate(turn: Turn, frame: Frame, error: ExecutionError): void {
  for (let at: Frame | null = frame; at?.parent && !turn.undoesIn(at); at = at.parent) {
    const nodeId = at.path.at(-1)?.nodeId ?? "";
    const onError = turn.nodeOf(nodeId)?.policy.onError ?? "fail";
    if (onError === "fail") continue;
    turn.settle(at.parent, { event: "step.failed", nodeId, error, ...onwards(onError, error) });
    return;
  }
  // The compensations of other steps continue.
  const undone = turn.state.undoing?.at;
  if (undone) giveUpUndoing(turn, undone, error);
  else turn.fail(error);
}

/** Notes that a compensation has failed for good. */
function giveUpUndoing(turn: Turn, { frame, nodeId }: { frame: Frame; nodeId: string }, error: ExecutionError): void {
  if (frame.nodes.get(nodeId)?.status === "failed") turn.touch(frame, nodeId);
  else turn.settle(frame, { event: "step.failed", nodeId, error });
}
