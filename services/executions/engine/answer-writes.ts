import { createHash } from "node:crypto";
import type { Store, WriteOp } from "../../../adapters/store/port.ts";
import { MAX_LISTED_DATA } from "../../../contracts/entities/answered-question.ts";
import type { Suspension } from "../../../contracts/entities/execution.ts";
import { clip } from "../../../core/clip.ts";
import type { WorkflowGraph } from "../../../core/graph/graph.ts";
import type { RunInput } from "../../../core/run/advance.ts";
import type { AnswerGiven } from "../../../core/run/answers.ts";
import type { StepEntry } from "../../../core/run/entry.ts";
import { keyOf, nodeAt } from "../../../core/run/frame.ts";
import type { RunState } from "../../../core/run/state.ts";
import { type AnswerDoc, Answers, type ExecutionDoc } from "../store/model.ts";

const MAX_PROMPT = 2_000;

/** An answer, and the question as it was when the answer came. */
export interface Asked {
  answer: AnswerGiven;
  suspension: Suspension;
  askedAt: string;
}

/** The open questions that these inputs answer. Call it before the run takes the inputs in. */
export function answeredBy(state: RunState, inputs: readonly RunInput[]): Asked[] {
  return inputs.flatMap(input => {
    if (input.kind !== "answer") return [];
    const { answer } = input;
    const node = nodeAt(state, answer);
    if (!node?.suspension || node.waitsFor !== "answer" || node.attempt !== answer.attempt) return [];
    return [{ answer, suspension: node.suspension, askedAt: node.startedAt }];
  });
}

const idOf = ({ id }: ExecutionDoc, { answer, suspension }: Asked): string => {
  const asked = `${keyOf(answer)}\n${answer.attempt}\n${suspension.question ?? ""}`;
  return `${id}:${createHash("sha256").update(asked).digest("hex").slice(0, 32)}`;
};

function shownData(data: unknown): Pick<AnswerDoc, "data" | "dataBytes"> {
  const dataBytes = Buffer.byteLength(JSON.stringify(data ?? null));
  return dataBytes > MAX_LISTED_DATA ? { dataBytes } : { data };
}

/**
 * The writes that add the answers in these entries to the list of answers. They go before the entries. When a worker
 * dies in between, the answers are still in the inbox, and the next worker writes the same documents again.
 */
export function answerWrites(
  store: Store,
  doc: ExecutionDoc,
  graph: WorkflowGraph,
  asked: readonly Asked[],
  entries: readonly StepEntry[],
): WriteOp[] {
  if (asked.length === 0) return [];
  const { ops } = store.tenant(Answers, doc.workspaceId);
  return asked.flatMap(one => {
    const { answer, suspension, askedAt } = one;
    const { nodeId, path, approved, data, respondedBy, respondedAt } = answer;
    const records = (entry: StepEntry) =>
      (entry.output as Partial<AnswerGiven> | undefined)?.respondedAt === respondedAt;
    const entry = entries.find(
      made => made.nodeId === nodeId && keyOf({ ...made, nodeId }) === keyOf(answer) && records(made),
    );
    if (!entry) return [];
    const id = idOf(doc, one);
    const written: AnswerDoc = {
      ...{ id, workspaceId: doc.workspaceId, executionId: doc.id, spaceId: doc.spaceId },
      ...{ workflowId: doc.workflowId, workflowVersion: doc.workflowVersion },
      ...{ nodeId, nodeName: graph.byId.get(nodeId)?.name ?? nodeId, ...(path && { path }) },
      ...{ prompt: clip(suspension.prompt, MAX_PROMPT) },
      ...(suspension.question !== undefined && { question: suspension.question }),
      ...(suspension.assignees && { assignees: suspension.assignees }),
      ...{ askedAt: new Date(askedAt), answeredAt: new Date(respondedAt), answeredBy: respondedBy, approved },
      ...shownData(data),
      seq: entry.seq,
    };
    return [ops.remove({ id }), ops.insert(written)];
  });
}
