import type { LogEntry } from "../../contracts/entities/execution.ts";
import { clip } from "../clip.ts";
import { failStep } from "./fail-step.ts";
import { frameAt, type Address, type NodeState } from "./frame.ts";
import { isTooLarge, MAX_OUTPUT_CHARS } from "./output-limit.ts";
import type { RunState } from "./state.ts";
import type { Turn } from "./turn.ts";

/** What a running step reports about itself. */
export interface StepReport extends Address {
  /** Of the step that says it: nothing is taken any more of an attempt that is over. */
  attempt: number;
  message: string;
  /** Where it is to be kept as a record, what the step gets back. */
  output?: unknown;
  level?: LogEntry["level"] | undefined;
  kept: boolean;
}

/** Of one step, and their sizes as JSON: of one step's, and of those of all steps of a run that go on at a time. */
const MAX_RECORDS = 2_000;
const MAX_STEP_CHARS = 2 * 1_048_576;
const MAX_RUN_CHARS = 16 * 1_048_576;
const MAX_MESSAGE_CHARS = 2_000;

function fault(state: RunState, { records = { list: [], chars: 0 } }: NodeState, output: unknown) {
  if (isTooLarge(output)) {
    const message = `The record of the step is larger than ${MAX_OUTPUT_CHARS / 1_024} KiB.`;
    return { code: "output_too_large", message };
  }
  const { list, chars } = records;
  if (list.length < MAX_RECORDS && chars < MAX_STEP_CHARS && state.recordChars < MAX_RUN_CHARS) return undefined;
  return { code: "records_full", message: "The step exceeds the number of records that one step or run can keep." };
}

/** A step that runs says something of itself: for the log, and where it is `kept` for itself too. */
export function tell(turn: Turn, { nodeId, path, attempt, message, output, level, kept }: StepReport): void {
  const frame = frameAt(turn.state, path);
  const node = frame?.nodes.get(nodeId);
  if (!frame || node?.status !== "running" || node.attempt !== attempt) return;
  const line = { event: "step.log" as const, nodeId, attempt, message: clip(message, MAX_MESSAGE_CHARS) };
  const shown = { ...line, ...(level && { level }) };
  if (!kept) return turn.addStep(frame, shown);
  const error = fault(turn.state, node, output);
  if (error) return failStep(turn, frame, nodeId, { kind: "failed", error, retryable: false }, turn.since(node));
  turn.addStep(frame, { ...shown, output: output ?? null, record: true });
}
