import type { LogEntry } from "../../contracts/entities/execution.ts";
import { clip } from "../clip.ts";
import { failStep } from "./fail-step.ts";
import { frameAt, type Address, type NodeState } from "./frame.ts";
import { isTooLarge, MAX_OUTPUT_CHARS } from "./step-limits.ts";
import { largeIn } from "./references.ts";
import type { RunState } from "./state.ts";
import type { Turn } from "./turn.ts";

/** What a running step reports about itself. */
export interface StepReport extends Address {
  /** The attempt that reports. Reports of earlier attempts are ignored. */
  attempt: number;
  message: string;
  /** For a record: the value that the step gets back. */
  output?: unknown;
  level?: LogEntry["level"] | undefined;
  /** The record contains everything that the earlier records contained. */
  replaces?: boolean | undefined;
  kept: boolean;
}

/**
 * The limits of records: their number for one step, and their length as JSON for one step and for all steps of a run
 * that are in progress.
 */
const MAX_RECORDS = 2_000;
const MAX_STEP_CHARS = 2 * 1_048_576;
const MAX_RUN_CHARS = 16 * 1_048_576;
const MAX_MESSAGE_CHARS = 2_000;

/** Records that an older version would misread: see `JOURNAL_FORMAT`. */
const NEEDS_REFERENCES = 2;

function fault(state: RunState, { records = { list: [], chars: 0 } }: NodeState, { output, replaces }: StepReport) {
  if (isTooLarge(output)) {
    const message = `The record of the step is larger than ${MAX_OUTPUT_CHARS / 1_024} KiB.`;
    return { code: "output_too_large", message };
  }
  const { list, chars } = records;
  if (replaces) return undefined;
  if (list.length < MAX_RECORDS && chars < MAX_STEP_CHARS && state.recordChars < MAX_RUN_CHARS) return undefined;
  return { code: "records_full", message: "The step exceeds the number of records that one step or run can keep." };
}

/** Logs the report of a running step. A report that is `kept` also becomes a record of the step. */
export function logReport(turn: Turn, report: StepReport): void {
  const { nodeId, path, attempt, message, output, level, replaces, kept } = report;
  const frame = frameAt(turn.state, path);
  const node = frame?.nodes.get(nodeId);
  if (!frame || node?.status !== "running" || node.attempt !== attempt) return;
  const line = { event: "step.log" as const, nodeId, attempt, message: clip(message, MAX_MESSAGE_CHARS) };
  const shown = { ...line, ...(level && { level }) };
  if (!kept) return turn.addStep(frame, shown);
  const error = fault(turn.state, node, report);
  if (error) return failStep(turn, frame, nodeId, { kind: "failed", error, retryable: false }, turn.since(node));
  const needs = replaces || largeIn(output).length > 0 ? { needs: NEEDS_REFERENCES } : {};
  turn.addStep(frame, { ...shown, output: output ?? null, record: true, ...(replaces && { replaces }), ...needs });
}
