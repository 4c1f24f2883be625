import { ERRORS } from "../../../contracts/errors.ts";
import { failureOf, problemOf } from "../http/problem.ts";
import type { McpSession } from "./session.ts";
import type { ToolAnswer } from "./tool.ts";

/** The answer to a failed call: the same problem that the API would answer. Unknown errors are not shown. */
export function refusal(session: McpSession, tool: string, error: unknown): ToolAnswer {
  const failure = failureOf(error);
  const { requestId, broker } = session;
  if (ERRORS[failure.code].status === 500) broker.logger.error("A tool has failed", { requestId, tool }, error);
  const text = JSON.stringify(problemOf(failure, requestId));
  return { isError: true, content: [{ type: "text", text }] };
}
