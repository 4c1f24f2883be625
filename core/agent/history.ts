import type { StepRecord } from "../run/entry.ts";

/** A tool, with the name by which the model calls it. */
export interface OfferedTool {
  name: string;
  toolId: string;
}

export interface RequestedCall {
  callId: string;
  name: string;
  arguments: Record<string, unknown>;
  /** Why the model's arguments cannot be used. `arguments` is unset then. */
  fault?: string | undefined;
  /** Data of the model's provider that must be sent back with the call. */
  signature?: string | undefined;
}

/** The record of the tools that an agent begins with. */
export interface InitialTools {
  tools: OfferedTool[];
}

/** The record of a turn, written before any of its calls is made. */
export interface Decision {
  turn: number;
  text: string;
  calls: RequestedCall[];
  usage: { inputTokens: number; outputTokens: number };
  /**
   * The prefix of its calls' idempotency keys. It comes from the run that decided, and stays the same when another run
   * makes the calls.
   */
  key: string;
}

/** The record of each call. `approved` is set when a person was asked; `offered` is set when the call found tools. */
export interface Outcome {
  turn: number;
  callId: string;
  tool: string;
  result?: string;
  error?: string;
  approved?: boolean;
  offered?: OfferedTool[];
}

/**
 * A person's decision about a call that needs approval. `respondedBy` is null when the deadline passed without an
 * answer.
 */
export interface Approval {
  approved: boolean;
  note: string;
  respondedBy: string | null;
}

export interface HistoryTurn extends Decision {
  outcomes: Map<string, Outcome>;
}

/** The state of an agent: everything that it has recorded. */
export interface History {
  hasBegun: boolean;
  offered: OfferedTool[];
  turns: HistoryTurn[];
  approvals: Map<string, Approval>;
  /** The characters of all results so far. */
  resultChars: number;
}

/** The id, within the step, of the question whether a call may be made. */
export const questionOf = (turn: number, callId: string): string => `${turn}:${callId}`;

const MAX_NOTE_CHARS = 2_000;

function readApproval(output: unknown): Approval {
  const { approved, data, respondedBy } = output as { approved: boolean; data: unknown; respondedBy: string | null };
  const given = (typeof data === "object" && data !== null ? data : {}) as { approved?: unknown; note?: unknown };
  const note = typeof given.note === "string" ? given.note.slice(0, MAX_NOTE_CHARS) : "";
  return { approved: approved && given.approved !== false, note, respondedBy };
}

/** Reads what an agent step has recorded, oldest first. */
export function readHistory(records: readonly StepRecord[]): History {
  const history: History = { hasBegun: false, offered: [], turns: [], approvals: new Map(), resultChars: 0 };
  for (const { output, answers } of records) {
    if (answers !== undefined) {
      history.approvals.set(answers, readApproval(output));
      continue;
    }
    const made = output as InitialTools | Decision | Outcome;
    if ("tools" in made) {
      history.hasBegun = true;
      history.offered.push(...made.tools);
    } else if ("calls" in made) history.turns.push({ ...made, outcomes: new Map() });
    else {
      history.turns.at(-1)?.outcomes.set(made.callId, made);
      history.offered.push(...(made.offered ?? []));
      history.resultChars += (made.result ?? made.error ?? "").length;
    }
  }
  return history;
}

/** The token usage of all turns. */
export const usageOf = ({ turns }: History) => ({
  inputTokens: turns.reduce((sum, { usage }) => sum + usage.inputTokens, 0),
  outputTokens: turns.reduce((sum, { usage }) => sum + usage.outputTokens, 0),
});
