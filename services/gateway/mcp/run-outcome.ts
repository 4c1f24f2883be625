import { z } from "zod";
import { type Execution, execution } from "../../../contracts/entities/execution.ts";
import type { CallContext } from "./caller.ts";
import type { ToolAnswer } from "./tool.ts";
import type { McpSession } from "./session.ts";

const { id, spaceId, workflowId, workflowVersion, status, output } = execution.shape;
/** This schema is short, because the description of every tool that runs something repeats it. */
const error = z.looseObject({ code: z.string(), message: z.string() }).nullable();
const question = z.looseObject({ nodeId: z.string(), prompt: z.string() });

/** The current state of a run. */
export const runOutcome = z.object({
  executionId: id,
  spaceId,
  workflowId,
  workflowVersion,
  status,
  output,
  error,
  suspension: question.optional(),
  suspensions: z.array(question).optional(),
  next: z.string().optional().meta({ description: "What the caller can do now." }),
});

/** What a client can do next if its wait ended before the run. */
const NEXT: Partial<Record<Execution["status"], string>> = {
  pending: "The run goes on. Ask for it with get_execution.",
  running: "The run goes on. Ask for it with get_execution.",
  suspended: "The run waits for an answer. Give it with answer_execution, after asking the person whom it is for.",
};

/** @param fails whether a failed run makes the call fail */
export function outcomeOf(run: Execution, fails: boolean): ToolAnswer {
  const next = NEXT[run.status];
  return {
    structured: {
      executionId: run.id,
      spaceId: run.spaceId,
      workflowId: run.workflowId,
      workflowVersion: run.workflowVersion,
      status: run.status,
      output: run.output ?? null,
      error: run.error,
      ...(run.suspension && { suspension: run.suspension }),
      ...(run.suspensions && { suspensions: run.suspensions }),
      ...(next !== undefined && { next }),
    },
    isError: fails && (run.status === "failed" || run.status === "cancelled"),
  };
}

/** Waits for an existing run and returns its state. */
export async function waitForOutcome(
  session: McpSession,
  run: { spaceId: string; id: string },
  waitMs: number,
  { signal, onEntries }: CallContext,
  fails = true,
): Promise<ToolAnswer> {
  return outcomeOf(await session.waits.until(session, { ...run, waitMs, signal, onEntries }), fails);
}

/** The text about cancellation, for every tool that starts a run. */
export const CANCEL_NOTE =
  "The run is durable: it goes on when this call is cancelled or takes too long, until cancel_execution ends it.";
