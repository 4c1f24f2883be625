import {
  type Execution,
  executionSummary,
  type LogEntry,
  type Suspension,
} from "../../../contracts/entities/execution.ts";
import type { ParsedDefinition } from "../../../core/graph/parse-definition.ts";
import { describe, levelOf } from "../../../core/run/describe.ts";
import type { StepEntry } from "../../../core/run/entry.ts";
import { presenter } from "../../../service-kit/present.ts";
import { type ExecutionDoc, Executions } from "./model.ts";

export const presentSummary = presenter(executionSummary, Executions, doc => ({
  suspension: doc.status === "suspended" ? doc.suspension : undefined,
}));

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
