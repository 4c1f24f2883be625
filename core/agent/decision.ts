import type { Decision, WantedCall } from "./history.ts";

/** The most calls of one turn. The model may ask for the rest in the next turn. */
const MAX_CALLS = 16;
/** The bound of all arguments of one turn, as JSON: they become one entry of the journal. */
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

/** The turn that a model's answer leads to. On the last turn the model may call no more tools. */
export function decisionOf(turn: number, isLast: boolean, answer: Answer, key: string): Decision {
  return { turn, text: answer.text, calls: isLast ? [] : callsOf(answer), usage: answer.usage, key };
}
