import type { StepWords } from "../../sdk/definition.ts";

/** The text that a model has written in a turn so far. */
export type StreamedText = Pick<StepWords, "nodeId" | "turn" | "text">;

/** Adds a part to the text of a model. A part that does not continue the known text is dropped. */
export function appendStreamed(known: StreamedText | undefined, { nodeId, turn, at, text }: StepWords): StreamedText | undefined {
  const former = known?.nodeId === nodeId && known.turn === turn ? known.text : "";
  return at <= former.length ? { nodeId, turn, text: former.slice(0, at) + text } : known;
}
