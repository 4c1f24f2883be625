import { type ErrorCode, type ErrorData, errorCode, type Fault } from "../../../../contracts/errors.ts";
import { type CallFailure, callFailure } from "./call-failure.ts";

const PASSING: ReadonlySet<ErrorCode> = new Set(["tool_server_unavailable", "tool_timeout", "tool_call_failed"]);
const MAX_SHOWN = 20;

const listed = (errors: readonly Fault[]) =>
  errors
    .slice(0, MAX_SHOWN)
    .map(({ path, message }) => `${path}: ${message}`)
    .join("; ");

/** Why a tool call failed, with the faults of each argument. */
export function toolFailure(error: unknown, toolId: string): CallFailure {
  const code = errorCode(error);
  const { errors = [], detail } = (error as { data?: ErrorData }).data ?? {};
  const message = detail ?? (error as Error).message;
  switch (code) {
    case "not_found":
      return { code: "tool_not_found", message: `There is no tool ${toolId}.`, retryable: false };
    case "tool_arguments_invalid":
    case "validation_failed":
      return { code: "tool_arguments_invalid", message: listed(errors) || message, retryable: false };
    case "tool_server_refused":
      return { code, message, retryable: false };
    default:
      if (code !== undefined && PASSING.has(code)) return { code, message, retryable: true };
      return callFailure(error, "The tool service");
  }
}
