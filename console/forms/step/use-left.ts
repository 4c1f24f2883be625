import { type FocusEvent, useState } from "react";

/** By then a press on another field is over, which a message must not move, and what was typed last has been checked. */
const AFTER_MS = 700;

/** Tells whether the user has been in an element and left it. */
export function useLeft(): { left: boolean; onBlur: (event: FocusEvent) => void } {
  const [left, setLeft] = useState(false);
  const onBlur = ({ currentTarget }: FocusEvent) =>
    void setTimeout(() => {
      const { activeElement: at } = document;
      // A field loses the focus for a moment when an editor replaces its text. A link in its hint comes after it.
      if (!currentTarget.contains(at) || at?.tagName === "A") setLeft(true);
    }, AFTER_MS);
  return { left, onBlur };
}
