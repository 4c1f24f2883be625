import { type RefObject, useState, useSyncExternalStore } from "react";
import type { BuilderDocument, DocumentState } from "../document/index.ts";

/** The canvas shows typed changes when the user has paused for this long. */
const PAUSE_MS = 250;

/** Whether two states have the same steps and edges. Their settings may differ. */
const isSameGraph = (one: DocumentState, other: DocumentState) =>
  one.edges === other.edges && one.nodes.size === other.nodes.size;

/** The state of a document that the element shows; see `useSettledDocument`. */
function settledIn(doc: BuilderDocument, elementOf: () => HTMLElement | null) {
  let shown = doc.getState();
  const subscribe = (listener: () => void) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = (shown = doc.getState());
    const show = (next: DocumentState) => {
      shown = next;
      listener();
    };
    const stop = doc.subscribe(() => {
      clearTimeout(timer);
      const next = doc.getState();
      const isTyped = elementOf()?.contains(document.activeElement) === false && isSameGraph(last, next);
      last = next;
      if (isTyped) timer = setTimeout(() => show(next), PAUSE_MS);
      else show(next);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  };
  return { subscribe, get: () => shown };
}

/**
 * The document as the canvas shows it. Drawing it takes longer than a key press allows, so typed changes appear at the
 * next pause. All other changes appear at once.
 */
export function useSettledDocument(doc: BuilderDocument, region: RefObject<HTMLElement | null>): DocumentState {
  const [{ subscribe, get }] = useState(() => settledIn(doc, () => region.current));
  return useSyncExternalStore(subscribe, get);
}
