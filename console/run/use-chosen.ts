import { useEffect, useEffectEvent, useState } from "react";
import type { Step } from "../data/run-types.ts";
import { afterPaint } from "../ui/after-paint.ts";
import { rowKeyOf } from "./fold/rows.ts";

/**
 * The row that is selected, and how to select another one. The tree shows it at once, and the page, which opens its values, is told
 * after the paint: of several keys that come quickly, of the last one.
 */
export function useChosen(
  selected: string | undefined,
  onSelect: (step: Step) => void,
): [chosen: string | undefined, select: (step: Step) => void] {
  const [told, setTold] = useState(selected);
  const [step, select] = useState<Step>();
  // The page has followed, or something else was selected there.
  if (told !== selected) {
    setTold(selected);
    select(undefined);
  }
  const tell = useEffectEvent(onSelect);
  useEffect(() => (step ? afterPaint(() => tell(step)) : undefined), [step]);
  return [step ? rowKeyOf(step) : selected, select];
}
