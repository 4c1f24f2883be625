import { type AnsweredQuestion, answeredQuestion } from "../../../contracts/entities/answered-question.ts";
import {
  type Execution,
  type ExecutionError,
  type ExecutionSummary,
  executionSummary,
  type LogEntry,
  type Suspension,
} from "../../../contracts/entities/execution.ts";
import type { ParsedDefinition } from "../../../core/graph/parse-definition.ts";
import { describeEntry, levelOf } from "../../../core/run/describe-entry.ts";
import type { StepEntry } from "../../../core/run/entry.ts";
import type { Names } from "../../../service-kit/names.ts";
import { presenter } from "../../../service-kit/present.ts";
import { type AnswerDoc, Answers, type ExecutionDoc, Executions } from "./model.ts";

/** The path of an execution, for links in notifications. */
export const executionLink = ({ workspaceId, spaceId, id }: { workspaceId: string; spaceId: string; id: string }) =>
  `/v1/workspaces/${workspaceId}/spaces/${spaceId}/executions/${id}`;

export const presentSummary = presenter(executionSummary, Executions, doc => ({
  suspension: doc.status === "suspended" ? doc.suspension : undefined,
  retryOf: doc.trigger.type === "retry" ? doc.trigger.id : undefined,
}));

/** A summary with the names that lists show. */
export function presentNamed(doc: ExecutionDoc, names: Names): ExecutionSummary {
  const [workflowName, startedByName] = [names.workflow(doc.workflowId), names.user(doc.startedBy)];
  return { ...presentSummary(doc), ...(workflowName && { workflowName }), ...(startedByName && { startedByName }) };
}

const presentListed = presenter(answeredQuestion, Answers);

/** An answer with the names that lists show. */
export function presentAnswer(doc: AnswerDoc, names: Names): AnsweredQuestion {
  const [workflowName, answeredByName] = [names.workflow(doc.workflowId), names.user(doc.answeredBy)];
  return { ...presentListed(doc), ...(workflowName && { workflowName }), ...(answeredByName && { answeredByName }) };
}

export function present(
  doc: ExecutionDoc,
  { input, output, suspensions }: { input: unknown; output: unknown; suspensions?: Suspension[] },
): Execution {
  return { ...presentSummary(doc), input: input ?? null, output: output ?? null, ...(suspensions && { suspensions }) };
}

/** A payload, or only its size if payloads are left out. */
const payload = (name: "input" | "output", value: unknown, isShown: boolean) =>
  value === undefined
    ? {}
    : isShown
      ? { [name]: value }
      : { [`${name}Bytes`]: Buffer.byteLength(JSON.stringify(value)) };

function withoutDetails({ details: _, ...error }: ExecutionError): ExecutionError {
  return error;
}

/** Without `payloads`, the entry contains the sizes of its payloads instead. */
export function presentEntry(
  executionId: string,
  entry: StepEntry,
  { graph }: ParsedDefinition,
  payloads = true,
): LogEntry {
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
    message: entry.message ?? describeEntry(entry),
    ...payload("input", input, payloads),
    ...payload("output", output, payloads),
    ...(error && { error: payloads ? error : withoutDetails(error) }),
    ...(child && { childExecutionId: child.id }),
    at,
    ...(durationMs !== undefined && { durationMs }),
  };
}
