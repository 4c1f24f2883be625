import type { Decision, WantedCall } from "./history.ts";

/** Of one turn; what a model wants beyond it, it may want again. */
const MAX_CALLS = 16;
/** Of all arguments of one turn, as JSON: they become one entry of the journal. */
const MAX_ARGUMENT_CHARS = 120_000;

interface Answer {
  text: string;
  toolCalls?: readonly {
    id: string;
    name: string;
    arguments: Record<string, unknown>;
    fault?: string | undefined;
  }[];
  usage: Decision["usage"];
}

function callsOf({ toolCalls = [] }: Answer): WantedCall[] {
  let chars = 0;
  return toolCalls.slice(0, MAX_CALLS).map(({ id: callId, name, arguments: given, fault }) => {
    chars += JSON.stringify(given).length;
    if (chars > MAX_ARGUMENT_CHARS)
      return { callId, name, arguments: {}, fault: "The arguments of this turn are too long." };
    return { callId, name, arguments: given, ...(fault !== undefined && { fault }) };
  });
}

/** What a model's answer comes to as a turn. On the last turn it may want nothing called any more. */
export function decisionOf(turn: number, isLast: boolean, answer: Answer, key: string): Decision {
  return { turn, text: answer.text, calls: isLast ? [] : callsOf(answer), usage: answer.usage, key };
}
