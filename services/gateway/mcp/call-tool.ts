import type { CallToolResult } from "@modelcontextprotocol/server";
import { AppError, ERRORS } from "../../../contracts/errors.ts";
import { issueFaults } from "../../../contracts/issue-faults.ts";
import { runOutcome } from "./run-outcome.ts";
import { jsonSchemaOf, type ObjectSchema } from "./schema.ts";
import type { McpSession } from "./session.ts";
import type { CallContext } from "./caller.ts";
import type { OwnTool, ToolAnswer } from "./tool.ts";
import { ownTool } from "./tools/index.ts";
import { runTool, workflowTool } from "./workflow-tools.ts";
import { failureOf, problemOf } from "../http/problem.ts";

/** The response to a failed call: the same problem that the API would return. Details of unknown errors are hidden. */
export function refusal(session: McpSession, tool: string, error: unknown): ToolAnswer {
  const failure = failureOf(error);
  const { requestId, broker } = session;
  if (ERRORS[failure.code].status === 500) broker.logger.error("A tool has failed", { requestId, tool }, error);
  const text = JSON.stringify(problemOf(failure, requestId));
  return { isError: true, content: [{ type: "text", text }] };
}

/**
 * The arguments, checked against the tool's input.
 * @throws {AppError} validation_failed, with each wrong field
 */
function checked({ input }: OwnTool, args: unknown): unknown {
  const parsed = input.safeParse(args);
  if (parsed.success) return parsed.data;
  throw new AppError("validation_failed", { errors: issueFaults(parsed.error.issues) });
}

function resultOf({ structured, content, isError = false }: ToolAnswer): CallToolResult {
  const shown = content ?? [{ type: "text", text: JSON.stringify(structured ?? null) }];
  return {
    content: shown as CallToolResult["content"],
    ...(structured !== undefined && { structuredContent: structured }),
    ...(isError && { isError }),
  };
}

export interface CallOutcome {
  result: CallToolResult;
  /** The schema that the list of tools shows. */
  outputSchema: ObjectSchema | undefined;
}

/** Calls a tool. A failure of the tool is also returned as a response. Returns undefined if no tool has this name. */
export async function callTool(
  session: McpSession,
  { name, arguments: args = {} }: { name: string; arguments?: unknown },
  context: CallContext,
): Promise<CallOutcome | undefined> {
  const own = ownTool(name);
  try {
    if (own) {
      const outputSchema = own.output && jsonSchemaOf(own.output, "output");
      return { result: resultOf(await own.run(checked(own, args), session, context)), outputSchema };
    }
    const workflow = await workflowTool(session, name);
    if (!workflow) return undefined;
    const result = resultOf(await runTool(workflow, args, session, context));
    return { result, outputSchema: jsonSchemaOf(runOutcome, "output") };
  } catch (error) {
    return { result: resultOf(refusal(session, name, error)), outputSchema: undefined };
  }
}
