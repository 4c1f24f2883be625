import { useSyncExternalStore } from "react";

/**
 * Whether changes of the workspace arrive by themselves. `connecting`: not yet, or not again. `lost`: not for five seconds,
 * so what is shown may be out of date.
 */
export type LiveState = "connecting" | "live" | "lost";

/** A connection that is back within this time is not worth a word. */
const PATIENCE_MS = 5_000;

interface Live {
  state: LiveState;
  /** When the connection was there last. */
  asOf: number;
}

let current: Live = { state: "connecting", asOf: Date.now() };
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function become(next: Live): void {
  const changed = next.state !== current.state;
  current = next;
  if (changed) for (const listener of listeners) listener();
}

/** Notes that the connection is there, or is not. */
export function setLive(isLive: boolean): void {
  if (isLive) {
    clearTimeout(timer);
    timer = undefined;
    become({ state: "live", asOf: Date.now() });
  } else if (timer === undefined) {
    if (current.state === "live") become({ state: "connecting", asOf: Date.now() });
    timer = setTimeout(() => become({ ...current, state: "lost" }), PATIENCE_MS);
  }
}

/** Forgets the connection, when nothing is followed any more. */
export function forgetLive(): void {
  clearTimeout(timer);
  timer = undefined;
  become({ state: "connecting", asOf: Date.now() });
}

function onLive(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useLive = (): Live => useSyncExternalStore(onLive, () => current);

/** For queries that the stream renews: they look by themselves only while there is no stream. */
export const lookEvery = (ms: number) => (): number | false => (current.state === "live" ? false : ms);
