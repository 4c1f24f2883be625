import { useEffect, useEffectEvent } from "react";
import { isTaken } from "../shell/shortcuts.ts";

/**
 * Acts on Escape, wherever on the page the focus is. Fields, menus and dialogs have their own use for the key, and a
 * half-written form must not be lost by it.
 */
export function useEscape(onEscape: () => void): void {
  const act = useEffectEvent(onEscape);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || isTaken(event)) return;
      if (!(event.target instanceof Element && event.target.closest("form"))) act();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
