import { type AgentTurn, MAX_PREVIEW, MAX_TURNS_SHOWN } from "../../../contracts/entities/execution-step.ts";
import type { Decision, Outcome } from "../../agent/history.ts";
import { clip } from "../../clip.ts";
import type { StepRecord } from "../entry.ts";

const shown = (text: string) => clip(text, MAX_PREVIEW.inside);

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const turnOf = ({ turn, text, calls, usage }: Decision, at: string): AgentTurn => ({
  turn,
  at,
  text: clip(text, MAX_PREVIEW.run),
  inputTokens: usage.inputTokens,
  outputTokens: usage.outputTokens,
  calls: calls.map(({ callId, name, arguments: given }) => ({
    callId,
    tool: name,
    arguments: shown(JSON.stringify(given)),
    status: "open",
    result: null,
    finishedAt: null,
  })),
});

function addOutcome(turns: AgentTurn[], { callId, result, error, approved }: Outcome, at: string): void {
  const call = turns.at(-1)?.calls.find(one => one.callId === callId);
  if (!call) return;
  call.status = error === undefined ? "completed" : approved === false ? "refused" : "failed";
  call.result = shown(error ?? result ?? "");
  call.finishedAt = at;
  if (approved !== undefined) call.approved = approved;
}

/** Adds a record of an agent to the turns that a list shows. */
export function addRecord(turns: AgentTurn[], { output, answers }: StepRecord, at: string): void {
  if (answers !== undefined || !isObject(output)) return;
  if ("calls" in output) {
    if (turns.length < MAX_TURNS_SHOWN) turns.push(turnOf(output as Decision, at));
  } else if ("callId" in output) addOutcome(turns, output as Outcome, at);
}
