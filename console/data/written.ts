import type { StepWords } from "../../sdk/definition.ts";

/** What a model has written of a turn. */
export type Written = Pick<StepWords, "nodeId" | "turn" | "text">;

/** Adds what a model has written to what is known of it. A part that does not follow on is left out. */
export function written(known: Written | undefined, { nodeId, turn, at, text }: StepWords): Written | undefined {
  const former = known?.nodeId === nodeId && known.turn === turn ? known.text : "";
  return at <= former.length ? { nodeId, turn, text: former.slice(0, at) + text } : known;
}
