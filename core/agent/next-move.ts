import { questionOf, type History, type HistoryTurn, type RequestedCall, type Decision } from "./history.ts";

/** The most calls of one turn. The model may ask for the rest in the next turn. */
const MAX_CALLS = 16;
/** The bound of all arguments of one turn, in characters of JSON, because they become one journal entry. */
const MAX_ARGUMENT_CHARS = 120_000;

interface Answer {
  text: string;
  toolCalls?: readonly {
    id: string;
    name: string;
    arguments: Record<string, unknown>;
    fault?: string | undefined;
    signature?: string | undefined;
  }[];
  usage: Decision["usage"];
}

function callsOf({ toolCalls = [] }: Answer): RequestedCall[] {
  let chars = 0;
  return toolCalls.slice(0, MAX_CALLS).map(({ id: callId, name, arguments: given, fault, signature = "" }) => {
    chars += JSON.stringify(given).length + signature.length;
    if (chars > MAX_ARGUMENT_CHARS)
      return { callId, name, arguments: {}, fault: "The arguments of this turn are too long." };
    return { callId, name, arguments: given, ...(fault !== undefined && { fault }), ...(signature && { signature }) };
  });
}

/** The turn that a model's answer leads to. On the last turn the model may call no more tools. */
export function decisionOf(turn: number, isLast: boolean, answer: Answer, key: string): Decision {
  return { turn, text: answer.text, calls: isLast ? [] : callsOf(answer), usage: answer.usage, key };
}

/** The next step of an agent. */
export type Move =
  | { kind: "begin" }
  /** On the last turn the model must answer. */
  | { kind: "think"; turn: number; isLast: boolean }
  | { kind: "ask"; turn: HistoryTurn; call: RequestedCall; toolId: string; question: string }
  | { kind: "call"; turn: HistoryTurn; call: RequestedCall; toolId: string | undefined; approved: boolean | undefined }
  /** A person refused the call, or the deadline passed without an answer. */
  | { kind: "refused"; turn: HistoryTurn; call: RequestedCall; why: string }
  | { kind: "finish"; text: string; finishReason: "answered" | "max_turns" };

interface Rules {
  maxTurns: number;
  /** The tools whose calls a person must approve. */
  approve?: "all" | readonly string[] | undefined;
}

const needsApproval = ({ approve = [] }: Rules, toolId: string) => approve === "all" || approve.includes(toolId);

function whyRefused({ note, respondedBy }: { note: string; respondedBy: string | null }): string {
  if (respondedBy === null) return "Refused: the call was not approved in time.";
  return note ? `Refused by a person, who says: ${note}` : "Refused by a person.";
}

function moveFor(history: History, rules: Rules, turn: HistoryTurn, call: RequestedCall): Move {
  const toolId = history.offered.find(({ name }) => name === call.name)?.toolId;
  // A call that cannot be made needs no approval.
  if (toolId === undefined || call.fault !== undefined || !needsApproval(rules, toolId))
    return { kind: "call", turn, call, toolId, approved: undefined };
  const question = questionOf(turn.turn, call.callId);
  const approval = history.approvals.get(question);
  if (!approval) return { kind: "ask", turn, call, toolId, question };
  if (!approval.approved) return { kind: "refused", turn, call, why: whyRefused(approval) };
  return { kind: "call", turn, call, toolId, approved: true };
}

/**
 * Decides only from the records, so any worker that continues the step makes the same move as the previous one. The
 * calls of one turn are made one after another, in the model's order, because they may depend on one another.
 */
export function nextMove(history: History, rules: Rules): Move {
  if (!history.hasBegun) return { kind: "begin" };
  const last = history.turns.at(-1);
  if (!last) return { kind: "think", turn: 1, isLast: rules.maxTurns === 1 };
  const open = last.calls.find(({ callId }) => !last.outcomes.has(callId));
  if (open) return moveFor(history, rules, last, open);
  if (last.calls.length === 0) {
    const finishReason = last.turn >= rules.maxTurns ? "max_turns" : "answered";
    return { kind: "finish", text: last.text, finishReason };
  }
  return { kind: "think", turn: last.turn + 1, isLast: last.turn + 1 >= rules.maxTurns };
}
