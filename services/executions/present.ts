import type { Execution, ExecutionSummary, LogEntry, Suspension } from "../../contracts/entities/execution.ts";
import type { ParsedDefinition } from "../../core/graph/parse-definition.ts";
import { describe, levelOf } from "../../core/run/describe.ts";
import type { StepEntry } from "../../core/run/entry.ts";
import type { ExecutionDoc } from "./model.ts";

const time = (date: Date | null | undefined) => date?.toISOString() ?? null;

export function presentSummary(doc: ExecutionDoc): ExecutionSummary {
  return {
    id: doc.id,
    workspaceId: doc.workspaceId,
    spaceId: doc.spaceId,
    workflowId: doc.workflowId,
    workflowVersion: doc.workflowVersion,
    status: doc.status,
    trigger: doc.trigger,
    startedBy: doc.startedBy,
    error: doc.error ?? null,
    ...(doc.status === "suspended" && doc.suspension && { suspension: doc.suspension }),
    ...(doc.parent && { parent: doc.parent }),
    attempt: doc.attempt,
    createdAt: doc.createdAt.toISOString(),
    startedAt: time(doc.startedAt),
    finishedAt: time(doc.finishedAt),
  };
}

export function present(
  doc: ExecutionDoc,
  { input, output, suspensions }: { input: unknown; output: unknown; suspensions?: Suspension[] },
): Execution {
  return { ...presentSummary(doc), input: input ?? null, output: output ?? null, ...(suspensions && { suspensions }) };
}

export function presentEntry(executionId: string, entry: StepEntry, { graph }: ParsedDefinition): LogEntry {
  const { seq, nodeId = null, path, attempt = null, event, at, input, output, error, durationMs, child } = entry;
  return {
    seq,
    executionId,
    nodeId,
    nodeType: (nodeId !== null && graph?.byId.get(nodeId)?.type) || null,
    ...(path && { path }),
    attempt,
    event,
    level: levelOf(entry),
    message: entry.message ?? describe(entry),
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(error && { error }),
    ...(child && { childExecutionId: child.id }),
    at,
    ...(durationMs !== undefined && { durationMs }),
  };
}
