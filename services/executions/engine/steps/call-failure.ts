import { type ErrorData, errorCode, ERRORS } from "../../../../contracts/errors.ts";
import { clip } from "../../../../core/clip.ts";
import type { StepResult } from "../../../../core/run/entry.ts";
import { failed } from "./step.ts";

/** Why a call of another Weft service failed. */
export interface CallFailure {
  code: string;
  message: string;
  /** True if the same call may succeed later. */
  retryable: boolean;
}

/**
 * Explains the broker's errors, by `type`, for calls that the service itself did not answer. Types are compared,
 * because error classes are lost between nodes.
 */
const BROKER: Readonly<Record<string, string>> = {
  SERVICE_NOT_FOUND: "runs on no node",
  SERVICE_NOT_AVAILABLE: "runs on no node that answers",
  REQUEST_TIMEOUT: "did not answer in time",
  REQUEST_SKIPPED: "was not asked: no time was left",
  REQUEST_REJECTED: "has a node that was lost during the call",
  QUEUE_FULL: "has too many calls under way",
};
const MAX_FAULTS = 20;
const MAX_CHARS = 2_000;

/**
 * Converts the error of a call into a failure. The message keeps the original cause, because a guess could mislead its
 * reader. `service` is the name in the message ("The memory service"), `at` the path under which faults of the data are
 * listed ("/data").
 */
export function callFailure(error: unknown, service: string, at = "/data"): CallFailure {
  const { type, data, message } = error as { type?: unknown; data?: ErrorData | null; message?: unknown };
  const said = typeof type === "string" && Object.hasOwn(BROKER, type) ? BROKER[type] : undefined;
  if (said !== undefined) return { code: "unavailable", message: `${service} ${said}.`, retryable: true };
  const code = errorCode(error);
  const { errors = [], detail } = data ?? {};
  if (code === "validation_failed") {
    const faults = errors.slice(0, MAX_FAULTS).map(({ path, message: fault }) => `${at}${path}: ${fault}`);
    const shown = faults.join("; ") || detail || "The data is not valid.";
    return { code: "invalid_data", message: clip(shown, MAX_CHARS), retryable: false };
  }
  const own = detail ?? (typeof message === "string" && message !== "" ? message : "it gives no reason");
  if (code === undefined || code === "internal_error")
    return { code: "unavailable", message: `${service} failed: ${clip(own, MAX_CHARS)}`, retryable: true };
  const { status, title } = ERRORS[code];
  const bare = code === "unavailable" && own === title;
  const why = bare ? `${service} is not available: what it depends on does not answer.` : own;
  return { code, message: clip(why, MAX_CHARS), retryable: status >= 500 || status === 429 };
}

/** The same failure as the result of a step. */
export function callFailed(error: unknown, service: string): StepResult {
  const { code, message, retryable } = callFailure(error, service);
  return failed(code, message, retryable);
}
