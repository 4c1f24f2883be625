import { useSyncExternalStore } from "react";

/**
 * Whether the page receives changes of the workspace. `connecting`: the stream is not open yet, or opens again. `lost`:
 * it has been closed for five seconds, so the page may show old data.
 */
export type LiveState = "connecting" | "live" | "lost";

/** Shorter interruptions are not reported to the user. */
const PATIENCE_MS = 5_000;

interface Live {
  state: LiveState;
  /** When the stream was last open. */
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

/** Records whether the stream is open. */
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

/** Resets the state when the page follows no workspace. */
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

/** A refetch interval for queries that the stream refreshes. They poll only while there is no stream. */
export const pollEvery = (ms: number) => (): number | false => (current.state === "live" ? false : ms);
