import type { StepRecord } from "../run/entry.ts";

/** A tool by the name that the model calls it by. */
export interface OfferedTool {
  name: string;
  toolId: string;
}

export interface WantedCall {
  callId: string;
  name: string;
  arguments: Record<string, unknown>;
  /** Why there are no arguments, where what the model wrote for them cannot be used. */
  fault?: string | undefined;
}

/** What is recorded once an agent has its first tools. */
export interface Begun {
  tools: OfferedTool[];
}

/** What is recorded of each turn before anything of it is done. */
export interface Decision {
  turn: number;
  text: string;
  calls: WantedCall[];
  usage: { inputTokens: number; outputTokens: number };
  /** What the idempotency keys of its calls begin with: those of the run that decided, also where another carries them out. */
  key: string;
}

/** What is recorded of each call. `approved` where somebody was asked; `offered` where it found tools. */
export interface Outcome {
  turn: number;
  callId: string;
  tool: string;
  result?: string;
  error?: string;
  approved?: boolean;
  offered?: OfferedTool[];
}

/** What somebody said to a call that needs approval; nobody did in time where `respondedBy` is null. */
export interface Approval {
  approved: boolean;
  note: string;
  respondedBy: string | null;
}

export interface Turn extends Decision {
  outcomes: Map<string, Outcome>;
}

/** Where an agent stands: all that it has recorded. */
export interface History {
  hasBegun: boolean;
  offered: OfferedTool[];
  turns: Turn[];
  approvals: Map<string, Approval>;
  /** Of all results so far. */
  resultChars: number;
}

/** The step's own name for the question whether a call may be made. */
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
    const made = output as Begun | Decision | Outcome;
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

/** What all turns have cost. */
export const usageOf = ({ turns }: History) => ({
  inputTokens: turns.reduce((sum, { usage }) => sum + usage.inputTokens, 0),
  outputTokens: turns.reduce((sum, { usage }) => sum + usage.outputTokens, 0),
});
