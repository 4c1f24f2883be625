import { type RefObject, useState, useSyncExternalStore } from "react";
import type { BuilderDocument, DocumentState } from "../document/index.ts";

/** So long after the last key, what is typed beside the canvas comes onto it. */
const PAUSE_MS = 250;

/** Whether two states have the same steps and threads, which may differ in what is set up. */
const isSameGraph = (one: DocumentState, other: DocumentState) =>
  one.edges === other.edges && one.nodes.size === other.nodes.size;

/** The state of a document that is shown by the element; see `useSettled`. */
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
 * The document as the canvas shows it. To draw it takes longer than a key may, so what is typed beside the canvas comes
 * with the next pause, and everything else at once.
 */
export function useSettled(doc: BuilderDocument, region: RefObject<HTMLElement | null>): DocumentState {
  const [{ subscribe, get }] = useState(() => settledIn(doc, () => region.current));
  return useSyncExternalStore(subscribe, get);
}
