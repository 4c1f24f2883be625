import type { ExpressionErrorCode } from "../../core/expressions/expression-error.ts";

/** To a thread: one expression at a time. */
export interface ThreadTask {
  source: string;
  scope: unknown;
}

/** From a thread: that it can take tasks, or the answer to the task that it had. */
export type ThreadMessage =
  { ready: true } | { value: unknown } | { error: { code: ExpressionErrorCode; reason: string } };
