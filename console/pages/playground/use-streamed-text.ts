import { useState } from "react";
import type { StepWords } from "../../../sdk/definition.ts";
import type { Step } from "../../data/run-types.ts";
import { appendStreamed, type StreamedText } from "../../data/streamed-text.ts";

/** The text that a model is writing, until the page shows its turn or its answer. */
export function useStreamedText(steps: readonly Step[]): { text: string; hear: (words: StepWords) => void } {
  const [known, setKnown] = useState<StreamedText>();
  const [hear] = useState(() => (words: StepWords) => setKnown(former => appendStreamed(former, words)));
  // The text of a turn without calls is the answer, which arrives with the end of the run.
  const isShown = steps.some(
    ({ nodeId, turns = [] }) =>
      nodeId === known?.nodeId && turns.some(({ turn, calls }) => turn === known.turn && calls.length > 0),
  );
  return { text: isShown ? "" : (known?.text ?? ""), hear };
}
