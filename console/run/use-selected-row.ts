import { useEffect, useEffectEvent, useState } from "react";
import type { Step } from "../data/run-types.ts";
import { afterPaint } from "../ui/after-paint.ts";
import { rowKeyOf } from "./fold/rows.ts";

/**
 * Returns the selected row and a function that selects another one. The tree shows the new selection at once, and the
 * page opens its values after the paint. If several keys follow each other quickly, it opens those of the last one.
 */
export function useSelectedRow(
  selected: string | undefined,
  onSelect: (step: Step) => void,
): [chosen: string | undefined, select: (step: Step) => void] {
  const [told, setTold] = useState(selected);
  const [step, select] = useState<Step>();
  // The page has followed, or selected something else.
  if (told !== selected) {
    setTold(selected);
    select(undefined);
  }
  const tell = useEffectEvent(onSelect);
  useEffect(() => (step ? afterPaint(() => tell(step)) : undefined), [step]);
  return [step ? rowKeyOf(step) : selected, select];
}
